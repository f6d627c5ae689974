// axios on an agent with keep-alive; it adds no retry.
"use strict";

const http = require("node:http");
const https = require("node:https");

const axios = require("axios");

const { FORM, HARMLESS, asked, each, headers } = require("./purchase.cjs");

const options = asked();

async function charge(base) {
  const agents = {
    httpAgent: new http.Agent({ keepAlive: true }),
    httpsAgent: new https.Agent({ keepAlive: true }),
  };
  const client = axios.create({ baseURL: base, timeout: options.milliseconds, ...agents });
  try {
    if (options.reused) await client.get(HARMLESS, { headers: headers() });
    const body = new URLSearchParams(FORM);
    const { data } = await client.post("/v1/charges", body, { headers: headers(options.key) });
    if (!data.id) throw new Error("no charge");
    return data.id;
  } finally {
    agents.httpAgent.destroy();
    agents.httpsAgent.destroy();
  }
}

each(options, charge);
