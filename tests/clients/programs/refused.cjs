// One charge with stripe-node, and what its caller is told where it is refused, as JSON:
// [--package NAME] [--retries N]. The packages come from NODE_PATH.
"use strict";

const { parseArgs } = require("node:util");

const { values: options } = parseArgs({
  options: {
    package: { type: "string", default: "stripe" },
    retries: { type: "string", default: "2" },
  },
});
const loaded = require(options.package);
const Stripe = loaded.default ?? loaded;
const { protocol, hostname, port } = new URL(process.env.STRIPE_API_BASE);
const stripe = new Stripe(process.env.STRIPE_API_KEY, {
  protocol: protocol.replace(":", ""),
  host: hostname,
  port,
  maxNetworkRetries: Number(options.retries),
});

function told(failed) {
  return {
    class: failed.constructor.name,
    status: failed.statusCode ?? null,
    code: failed.code ?? null,
    says: JSON.stringify([failed.message, failed.raw]).includes("cap_exceeded"),
  };
}

// A timer of the library outlives its retries: node would wait for it.
stripe.charges
  .create({ amount: 2000, currency: "usd", source: "tok_visa" })
  .then((charge) => ({ charge: charge.id }), told)
  .then((answer) => {
    console.log(JSON.stringify(answer));
    process.exit();
  });
