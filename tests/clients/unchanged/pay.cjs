// A shop on Node that knows no other server than Stripe: pay.cjs STACK safe|unsafe|keyless. STACK
// is stripe (stripe-node as it comes), stripe-18, stripe-fetch, fetch or axios; the packages come
// from NODE_PATH. It gives up on an answer after three seconds and asks again, twice. Safe is one key
// per order, unsafe a new one per attempt.
"use strict";

const { randomUUID } = require("node:crypto");

const ATTEMPTS = 3;
const KEYS = { safe: () => "order-ord_1", unsafe: randomUUID, keyless: () => undefined };
const MILLISECONDS = 3000;
const ORDER = { amount: 2000, currency: "usd", source: "tok_visa" };
const FORM = new URLSearchParams({ ...ORDER, "metadata[order_id]": "ord_1" });
const HEADERS = { Authorization: `Bearer ${process.env.STRIPE_API_KEY}` };
const CHARGES = "https://api.stripe.com/v1/charges";

function stripe(name, settings) {
  const client = require(name)(process.env.STRIPE_API_KEY, {
    timeout: MILLISECONDS,
    maxNetworkRetries: 0,
    ...settings,
  });
  const params = { ...ORDER, metadata: { order_id: "ord_1" } };
  return async (idempotencyKey) => {
    const more = idempotencyKey ? [{ idempotencyKey }] : [];
    return (await client.charges.create(params, ...more)).id;
  };
}

async function byFetch(key) {
  const response = await fetch(CHARGES, {
    method: "POST",
    headers: { ...HEADERS, "Idempotency-Key": key },
    body: FORM,
    signal: AbortSignal.timeout(MILLISECONDS),
  });
  return (await response.json()).id;
}

async function byAxios(key) {
  const headers = { ...HEADERS, "Idempotency-Key": key };
  const { data } = await require("axios").post(CHARGES, FORM, { headers, timeout: MILLISECONDS });
  return data.id;
}

const STACKS = {
  stripe: () => stripe("stripe"),
  "stripe-18": () => stripe("stripe-18"),
  "stripe-fetch": () =>
    stripe("stripe", { httpClient: require("stripe").createFetchHttpClient() }),
  fetch: () => byFetch,
  axios: () => byAxios,
};

async function pay(charge, key) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await charge(key());
    } catch (failed) {
      console.error(failed.message);
    }
  }
  throw new Error("nobody answered");
}

const [stack, habit] = process.argv.slice(2);
pay(STACKS[stack](), KEYS[habit]).then((id) => console.log("paid by", id));
