// @ts-check
// The view of plans and proposals within a chat client: JSON-RPC by messages with the window around it.
(() => {
  "use strict";
  const host = window.parent;
  const shown = /** @type {HTMLElement} */ (document.getElementById("shown"));
  /** @type {Map<number, {done: (result: any) => void, failed: (error: any) => void}>} */
  const waiting = new Map();
  let requests = 0;
  /** What is shown, and where its links lead from. */
  let uri = "", base = "";

  /** @param {object} message */
  const send = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");

  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const request = (method, params) =>
    new Promise((done, failed) => {
      requests += 1;
      waiting.set(requests, { done, failed });
      send({ id: requests, method, params });
    });

  /** @param {string} text */
  const showText = (text) => {
    const block = document.createElement("pre");
    block.className = "as-written";
    block.textContent = text;
    shown.replaceChildren(block);
  };

  /** @param {string} which @param {string} instead */
  const show = async (which, instead) => {
    try {
      const read = await request("resources/read", { uri: which });
      // Elements only: a parsed document runs no script, and the policy of this page allows no other.
      const parsed = new DOMParser().parseFromString(read.contents[0].text, "text/html");
      shown.replaceChildren(...parsed.body.childNodes);
      const root = /** @type {HTMLElement | null} */ (shown.querySelector("[data-base]"));
      base = root?.dataset.base ?? "";
      uri = which.split("?")[0];
    } catch {
      // Not every client reads resources for its views.
      showText(instead);
    }
  };

  /** @param {any} result */
  const showResult = (result) => {
    const texts = (result.content ?? []).filter((/** @type {any} */ part) => part.type === "text");
    const text = texts.map((/** @type {any} */ part) => part.text).join("\n");
    const which = result._meta?.["service/view_uri"];
    if (typeof which === "string") void show(which, text);
    else showText(text);
  };

  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const href = link?.getAttribute("href");
    if (!href) return;
    event.preventDefault();
    const which = href.startsWith("?") ? uri + href : href;
    if (which.startsWith("service-cloud:")) void show(which.split("#")[0], "These changes cannot be read now.");
    else if (!href.startsWith("#")) void request("ui/open-link", { url: new URL(href, base).href }).catch(() => {});
  });

  addEventListener("message", (event) => {
    if (event.source !== host || event.data?.jsonrpc !== "2.0") return;
    const { id, method, params, result, error } = event.data;
    if (method === undefined) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.failed(error);
      else asked?.done(result);
    } else if (method === "ui/notifications/tool-result") {
      showResult(params);
    } else if (id !== undefined) {
      const known = method === "ping" || method === "ui/resource-teardown";
      send(known ? { id, result: {} } : { id, error: { code: -32601, message: "not known here" } });
    }
  });

  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(shown);

  const app = { name: "fourfold-cloud-review", version: "1" };
  request("ui/initialize", { appInfo: app, appCapabilities: {}, protocolVersion: "2026-01-26" })
    .then(() => send({ method: "ui/notifications/initialized" }))
    .catch(() => showText("This client cannot show the plan."));
})();
