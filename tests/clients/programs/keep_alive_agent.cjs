// Node's http agent with keep-alive, and the retry that its documentation suggests: once, if a
// reused socket was reset. keep_alive_agent.cjs [--key K]. A harmless GET warms the socket up.
"use strict";

const http = require("node:http");
const { parseArgs } = require("node:util");

const { values: asked } = parseArgs({ options: { key: { type: "string" } } });
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const base = process.env.STRIPE_API_BASE;
const authorization = { Authorization: `Bearer ${process.env.STRIPE_API_KEY}` };

function send(method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const options = { agent, method, timeout: 2000, headers: { ...authorization, ...headers } };
    const request = http.request(base + path, options, (response) => {
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
      reject(Object.assign(failed, { reused: request.reusedSocket }));
    });
    request.end(body);
  });
}

function charge() {
  const body = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1";
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": Buffer.byteLength(body),
    ...(asked.key ? { "Idempotency-Key": asked.key } : {}),
  };
  return send("POST", "/v1/charges", headers, body);
}

async function main() {
  await send("GET", "/v1/charges?limit=1", {});
  try {
    return await charge();
  } catch (failed) {
    console.log(`${failed.code} reused=${failed.reused}`);
    if (failed.code !== "ECONNRESET" || !failed.reused) throw failed;
    return charge();
  }
}

main().then(
  (body) => {
    console.log(JSON.parse(body).id);
    agent.destroy();
  },
  () => {
    process.exitCode = 1;
  },
);
