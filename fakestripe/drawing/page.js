"use strict";

// Ask for what is new, and put in only what changed: what stands open stays open, and the
// focus stays where it is.

const status = document.getElementById("status");
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function say(text, live) {
  if (status.textContent !== text) status.textContent = text;
  status.parentElement.classList.toggle("live", live);
}

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

function match(node, at, known) {
  if (node.id) return known.get(node.id);
  return at && !at.id && at.nodeName === node.nodeName ? at : undefined;
}

function morph(old, fresh) {
  attributes(old, fresh);
  const known = new Map([...old.children].filter((each) => each.id).map((each) => [each.id, each]));
  let at = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const found = match(node, at, known);
    if (!found) {
      old.insertBefore(node, at);
      continue;
    }
    if (found === at) at = at.nextSibling;
    else old.insertBefore(found, at);
    if (found.nodeType === Node.TEXT_NODE) {
      if (found.data !== node.data) found.data = node.data;
    } else if (!found.isEqualNode(node)) morph(found, node);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

async function refresh() {
  const main = document.querySelector("main");
  const query = new URLSearchParams({ part: "1", seen: main.dataset.seen });
  const answer = await fetch(`?${query}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  say(" live", true);
  if (answer.status === 204) return 0;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement;
  morph(main, fresh.querySelector("main"));
  if (focused.isConnected && focused !== document.activeElement) {
    focused.focus({ preventScroll: true });
  }
  return Number(main.dataset.pause);
}

async function follow() {
  say(" live", true);
  for (;;) {
    if (document.hidden) {
      await new Promise((seen) => {
        document.addEventListener("visibilitychange", seen, { once: true });
      });
      continue;
    }
    let pause = 2000;
    try {
      pause = await refresh();
    } catch {
      say(" the server does not answer: this is what it saw last", false);
    }
    await sleep(pause);
  }
}

follow();
