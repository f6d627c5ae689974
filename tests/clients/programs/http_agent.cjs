// Node's http agent with keep-alive. --retry-reused adds the retry that its documentation
// suggests: once, if a reused socket was reset.
"use strict";

const http = require("node:http");
const https = require("node:https");

const { FORM, HARMLESS, asked, each, headers } = require("./purchase.cjs");

const options = asked({ "retry-reused": { type: "boolean", default: false } });

function send(agent, method, url, headers, body) {
  const { request: open } = url.startsWith("https:") ? https : http;
  return new Promise((resolve, reject) => {
    const request = open(url, { agent, method, timeout: options.milliseconds, headers });
    request.on("response", (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
        else reject(new Error(response.statusCode));
      });
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", (failed) => {
      reject(Object.assign(failed, { code: `${failed.code} reused=${request.reusedSocket}` }));
    });
    request.end(body);
  });
}

function post(agent, base) {
  const body = new URLSearchParams(FORM).toString();
  const form = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": Buffer.byteLength(body),
  };
  const url = `${base}/v1/charges`;
  return send(agent, "POST", url, { ...headers(options.key), ...form }, body);
}

async function charge(base) {
  const { Agent } = base.startsWith("https:") ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    if (options.reused) await send(agent, "GET", base + HARMLESS, headers());
    const paid = await post(agent, base).catch((failed) => {
      if (!options["retry-reused"] || failed.code !== "ECONNRESET reused=true") throw failed;
      console.error(failed.code);
      return post(agent, base);
    });
    return JSON.parse(paid).id;
  } finally {
    agent.destroy();
  }
}

each(options, charge);
