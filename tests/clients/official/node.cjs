// stripe-node: one of each thing that a shop asks of Stripe, told as one line of JSON.
// The package comes from NODE_PATH.
"use strict";

const { readFileSync } = require("node:fs");

const loaded = require("stripe");
const Stripe = loaded.default ?? loaded;
const base = new URL(process.env.STRIPE_API_BASE);
const clientOf = (key) =>
  new Stripe(key, { protocol: "http", host: base.hostname, port: base.port });
const stripe = clientOf(process.env.STRIPE_API_KEY);

const purchase = (more = {}) => ({
  amount: 2000,
  currency: "usd",
  ...("customer" in more ? {} : { source: "tok_visa" }),
  ...more,
});

async function refusal(call) {
  try {
    await call();
  } catch (refused) {
    if (refused instanceof Stripe.errors.StripeError) return refused;
    throw refused;
  }
  throw new Error("it was not refused");
}

// What every refusal tells.
const told = (refused) => ({
  class: refused.type,
  status: refused.statusCode,
  code: refused.code ?? null,
  param: refused.param ?? null,
  message: refused.message,
});

async function charges() {
  const customer = await stripe.customers.create({
    email: "jenny@example.com",
    source: "tok_visa",
  });
  const paid = await stripe.charges.create(purchase({ customer: customer.id }));
  const full = await stripe.charges.retrieve(paid.id, {
    expand: ["customer", "balance_transaction"],
  });
  const declined = await refusal(() =>
    stripe.charges.create(purchase({ source: "tok_chargeDeclinedInsufficientFunds" })),
  );
  const again = { idempotencyKey: "ord_2" };
  await stripe.charges.create(purchase(), again);
  return {
    paid: [paid.id, paid.amount, paid.currency, paid.paid, paid.source.last4],
    expanded: [full.customer.email, full.balance_transaction.fee, full.balance_transaction.net],
    declined: told(declined),
    declined_charge: [declined.decline_code, declined.charge],
    mismatch: told(await refusal(() => stripe.charges.create(purchase({ amount: 2001 }), again))),
    missing: told(await refusal(() => stripe.charges.retrieve("ch_missing"))),
    stranger: told(await refusal(() => clientOf("nobody").charges.create(purchase()))),
    ...(await refunds(paid.id)),
  };
}

async function refunds(charge) {
  const part = await stripe.refunds.create({ charge, amount: 500 });
  return {
    refund: [part.charge, part.amount, part.status],
    beyond: told(await refusal(() => stripe.refunds.create({ charge, amount: 1501 }))),
  };
}

async function intents() {
  const terms = { amount: 3000, currency: "usd", payment_method_types: ["card"] };
  const intent = await stripe.paymentIntents.create(terms);
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" });
  const bad = { payment_method: "pm_card_chargeDeclinedExpiredCard", confirm: true };
  const declined = await refusal(() => stripe.paymentIntents.create({ ...terms, ...bad }));
  const toldOf = declined.payment_intent;
  return {
    intent: [intent.status, paid.status, paid.latest_charge, paid.amount_received],
    intent_declined: told(declined),
    intent_state: [toldOf.status, toldOf.latest_charge, toldOf.last_payment_error.code],
  };
}

async function pages() {
  for (let made = 0; made < 9; made += 1) await stripe.charges.create(purchase());
  const listed = [];
  for await (const charge of stripe.charges.list({ limit: 5 })) listed.push(charge.id);
  return { listed };
}

async function webhook() {
  const payload = readFileSync(process.env.WEBHOOK_PAYLOAD, "utf8");
  const signed = [process.env.WEBHOOK_SIGNATURE, process.env.WEBHOOK_SECRET];
  const event = stripe.webhooks.constructEvent(payload, ...signed);
  const forged = await refusal(() => stripe.webhooks.constructEvent(`${payload} `, ...signed));
  return {
    event: [event.type, event.data.object.object, event.data.object.amount],
    forged: forged.type,
  };
}

async function main() {
  const facts = [await charges(), await intents(), await pages(), await webhook()];
  console.log(JSON.stringify(Object.assign({}, ...facts)));
}

main();
