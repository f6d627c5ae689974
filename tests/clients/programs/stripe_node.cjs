// stripe-node with its own defaults: [--package NAME] [--transport http|fetch] [--retries N]
// [--again] [--stay]. The packages come from NODE_PATH. --again is an application that calls the
// library once more if it fails.
"use strict";

const { asked, each, rest } = require("./purchase.cjs");

const options = asked({
  package: { type: "string", default: "stripe" },
  transport: { type: "string", default: "http" },
  retries: { type: "string" },
  again: { type: "boolean", default: false },
  stay: { type: "boolean", default: false },
});
const loaded = require(options.package);
const Stripe = loaded.default ?? loaded;
const purchase = {
  amount: 2000,
  currency: "usd",
  source: "tok_visa",
  metadata: { order_id: "ord_1" },
};

// A service (--stay) waits for ever for a promise that never settles.
const service = options.stay ? setInterval(() => {}, 1000) : undefined;

async function charge(base) {
  const { protocol, hostname, port } = new URL(base);
  const stripe = new Stripe(process.env.STRIPE_API_KEY, {
    protocol: protocol.replace(":", ""),
    host: hostname,
    port,
    timeout: options.milliseconds,
    ...(options.retries === undefined ? {} : { maxNetworkRetries: Number(options.retries) }),
    ...(options.transport === "fetch" ? { httpClient: Stripe.createFetchHttpClient() } : {}),
  });
  if (options.reused) {
    await stripe.charges.list({ limit: 1 });
    await rest();
  }
  // stripe-node 18 refuses options that are empty.
  const more = options.key ? [{ idempotencyKey: options.key }] : [];
  try {
    return (await stripe.charges.create(purchase, ...more)).id;
  } finally {
    clearInterval(service);
  }
}

function chargeAgain(base) {
  return charge(base).catch(() => charge(base));
}

each(options, options.again ? chargeAgain : charge);
