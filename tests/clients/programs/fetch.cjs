// Node's own fetch, as it comes: fetch.cjs [--key K] [--timeout S].
"use strict";

const { parseArgs } = require("node:util");

const { values: asked } = parseArgs({
  options: { key: { type: "string" }, timeout: { type: "string", default: "2" } },
});

async function charge() {
  const response = await fetch(`${process.env.STRIPE_API_BASE}/v1/charges`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${process.env.STRIPE_API_KEY}`,
      ...(asked.key ? { "Idempotency-Key": asked.key } : {}),
    },
    body: new URLSearchParams({
      amount: "2000",
      currency: "usd",
      source: "tok_visa",
      "metadata[order_id]": "ord_1",
    }),
    signal: AbortSignal.timeout(Number(asked.timeout) * 1000),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(response.status);
  return body.id;
}

charge().then(console.log, (failed) => {
  console.log(failed.cause?.code ?? failed.name);
  process.exitCode = 1;
});
