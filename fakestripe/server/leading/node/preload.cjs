// Loaded by every Node process (NODE_OPTIONS=--require) that is to find fakestripe under Stripe's
// own name. Stacks such as stripe-node and fetch ignore proxy variables, so the TCP connection
// itself is led elsewhere, and nothing else: TLS, its server name, keep-alive and errors stay the
// client's own. It must never break a process that is no client, and needs no package.
"use strict";

// Under the other names of Stripe we have no certificate: a client of theirs fails, and reaches
// nobody.
const STRIPE = /(^|\.)stripe\.com\.?$/i;

function lead(place) {
  const { Socket } = require("net");
  const { hostname, port } = new URL(`http://${place}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const connect = Socket.prototype.connect;
  // net and tls call it with their arguments in an array already; others with a port and a host.
  Socket.prototype.connect = function (...words) {
    const asked = Array.isArray(words[0]) ? words[0] : words;
    const [first, second] = asked;
    const options = first !== null && typeof first === "object" ? first : undefined;
    if (STRIPE.test(options ? options.host : second)) {
      if (options) asked[0] = { ...options, host, port: Number(port), lookup: undefined };
      else asked.splice(0, 2, Number(port), host);
    }
    return connect.apply(this, words);
  };
}

if (process.env.FAKESTRIPE_LED_TO) lead(process.env.FAKESTRIPE_LED_TO);
