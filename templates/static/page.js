// What pages do beyond plain HTML: a form goes out once, a replay has keys, #12 is position 12,
// whoever chooses by keyboard stays where they are, where the house is to answer the page looks
// for it, and a link can be passed on. Nothing here sends anything by itself.

const remembered = "fernpartie-focus";
const patience = 15_000; // milliseconds; whoever stopped the answer may then send once more
const looks = 30; // for the answer of the house, one every two seconds

function once(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
    const button = event.submitter;
    setTimeout(again, patience, form);
    if (!button?.dataset.wait) return;
    button.dataset.words = button.textContent;
    button.textContent = button.dataset.wait;
  });
}

function again(form) {
  delete form.dataset.sent;
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("[data-words]")) button.textContent = button.dataset.words;
}

// A replay goes from position to position without loading the page anew: the main part of the
// next page takes the place of this one. Without an answer the browser follows the link itself.
const tempo = 2_000; // milliseconds from one position to the next, once somebody has started it
let playing = 0;
let wanted = "";

function step(name) {
  return document.querySelector(`.steps [data-step="${name}"]`);
}

function go(href) {
  wanted = href;
  const request = new XMLHttpRequest();
  request.open("GET", href.split("#")[0]);
  request.responseType = "document";
  request.addEventListener("error", () => location.assign(href));
  request.addEventListener("load", () => {
    const main = request.response?.querySelector("main");
    if (wanted !== href) return;
    if (!main?.querySelector(".steps")) return location.assign(href);
    swap(document.adoptNode(main), request.response.title);
    history.replaceState(null, "", href);
  });
  request.send();
}

function swap(main, title) {
  const focused = document.activeElement;
  const same = focused?.dataset.step ? `[data-step="${focused.dataset.step}"]` : focused?.id && `[id="${focused.id}"]`;
  const open = [...document.querySelectorAll("main details[open] > summary")].map((one) => one.textContent);
  document.querySelector("main").replaceWith(main);
  document.title = title;
  for (const one of main.querySelectorAll("summary")) one.parentElement.open = open.includes(one.textContent);
  furnish();
  if (same) main.querySelector(same)?.focus({ preventScroll: true });
}

function furnish() {
  const play = step("play");
  play.hidden = false;
  play.setAttribute("aria-pressed", String(playing !== 0));
  document.querySelector(".place button").hidden = true;
}

function at() {
  return document.querySelector(".controls").dataset;
}

function play() {
  clearInterval(playing);
  playing = playing || at().at === at().last ? 0 : setInterval(onward, tempo);
  furnish();
}

function onward() {
  if (at().at === at().last) return play();
  go(step("next").href);
}

function replay() {
  const by = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const link = by[event.key] && step(by[event.key]);
    if (!link) return;
    event.preventDefault();
    go(link.href);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step], .chart a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.dataset.step === "play") play();
    else go(link.href);
  });
  document.addEventListener("change", (event) => {
    if (event.target.id !== "at") return;
    const there = event.target.value;
    go(event.target.dataset.path.replace(/at=\d+/, `at=${there}`).replace(/#\d+$/, `#${there}`));
  });
  addEventListener("hashchange", follow);
  furnish();
  follow();
}

function follow() {
  const there = /^#(\d+)$/.exec(location.hash)?.[1];
  if (!there || there === at().at) return;
  const here = new URL(location.href);
  here.searchParams.set("at", there);
  go(here.pathname + here.search + here.hash);
}

function stay(board) {
  board.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && event.detail === 0) sessionStorage.setItem(remembered, link.id);
  });
  const id = sessionStorage.getItem(remembered);
  sessionStorage.removeItem(remembered);
  if (id) document.getElementById(id)?.focus();
}

function typed() {
  return [...document.querySelectorAll("textarea, input")].some((one) => one.value !== one.defaultValue);
}

async function look(status, left) {
  if (!left) return;
  const page = document.hidden ? null : await fetch(location.pathname).catch(() => null);
  const waits = page?.ok && new RegExp(` data-follow="${status.dataset.follow}"`).test(await page.text());
  if (page?.ok && !waits && !typed()) location.replace(location.pathname);
  else setTimeout(look, 2_000, status, left - 1);
}

// A link to pass on goes to the programs of a phone, or else to the clipboard.
function share(button) {
  const url = button.dataset.share;
  button.hidden = !navigator.share && !navigator.clipboard;
  button.addEventListener("click", () => {
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    const copied = () => (button.textContent = button.dataset.done);
    navigator.clipboard.writeText(url).then(copied, () => (button.hidden = true)); // the link stands above
  });
}

const forms = document.querySelectorAll('form[method="post"]');
const board = document.querySelector("svg.board");
forms.forEach(once);
addEventListener("pageshow", () => forms.forEach(again));
if (board) stay(board);
if (document.querySelector(".steps")) replay();
document.querySelectorAll("[data-share]").forEach(share);
const status = document.querySelector("[data-follow]");
if (status) setTimeout(look, 2_000, status, looks);
