// stripe-node with its own defaults: stripe_node.cjs [--package NAME] [--transport http|fetch]
// [--retries N] [--key K] [--timeout S] [--stay]. The packages come from NODE_PATH.
"use strict";

const { parseArgs } = require("node:util");

const { values: asked } = parseArgs({
  options: {
    package: { type: "string", default: "stripe" },
    transport: { type: "string", default: "http" },
    retries: { type: "string" },
    key: { type: "string" },
    timeout: { type: "string", default: "2" },
    stay: { type: "boolean", default: false },
  },
});
const loaded = require(asked.package);
const Stripe = loaded.default ?? loaded;
const base = new URL(process.env.STRIPE_API_BASE);

const stripe = new Stripe(process.env.STRIPE_API_KEY, {
  protocol: "http",
  host: base.hostname,
  port: base.port,
  timeout: Number(asked.timeout) * 1000,
  ...(asked.retries === undefined ? {} : { maxNetworkRetries: Number(asked.retries) }),
  ...(asked.transport === "fetch" ? { httpClient: Stripe.createFetchHttpClient() } : {}),
});
const purchase = {
  amount: 2000,
  currency: "usd",
  source: "tok_visa",
  metadata: { order_id: "ord_1" },
};

// stripe-node 18 refuses options that are empty.
const options = asked.key ? [{ idempotencyKey: asked.key }] : [];

// A promise that never settles leaves nothing to wait for: node ends without a word, where a
// service (--stay) would wait for ever.
process.exitCode = 1;
const service = asked.stay ? setInterval(() => {}, 1000) : undefined;
stripe.charges.create(purchase, ...options).then(
  (charge) => {
    console.log(charge.id);
    process.exitCode = 0;
  },
  (failed) => console.log(failed.type ?? failed.name),
).finally(() => clearInterval(service));
