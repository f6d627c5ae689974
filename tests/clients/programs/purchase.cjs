// What every Node program of this folder buys, the arguments that it takes, how it tells: see
// columns.py. Charges on several servers are made at once, each by an agent of its own.
"use strict";

const { parseArgs } = require("node:util");

const FORM = {
  amount: "2000",
  currency: "usd",
  source: "tok_visa",
  "metadata[order_id]": "ord_1",
};
const HARMLESS = "/v1/charges?limit=1";

function asked(more = {}) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: "string" },
      timeout: { type: "string", default: "2" },
      reused: { type: "boolean", default: false },
      ...more,
    },
  });
  const bases = positionals.length ? positionals : [process.env.STRIPE_API_BASE];
  return { ...values, milliseconds: Number(values.timeout) * 1000, bases };
}

function headers(key) {
  const authorization = { Authorization: `Bearer ${process.env.STRIPE_API_KEY}` };
  return key ? { ...authorization, "Idempotency-Key": key } : authorization;
}

// A promise that never settles is told nowhere; once nothing is left to wait for, node ends.
function each({ bases }, charge) {
  let open = bases.length;
  process.exitCode = 1;
  bases.forEach((base, number) => {
    charge(base).then(
      (id) => {
        console.log(`${number} ok ${id}`);
        open -= 1;
        if (!open) process.exitCode = undefined;
      },
      (failed) => console.log(`${number} ERR ${word(failed)}`),
    );
  });
}

// fetch gives a connection back in a later turn than the one in which the body has been read.
function rest() {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

function word(failed) {
  return [failed, failed.cause]
    .filter(Boolean)
    .map((each) => each.code ?? each.type ?? (each.message || each.name))
    .join("<")
    .replaceAll("\n", " ");
}

module.exports = { FORM, HARMLESS, asked, headers, each, rest };
