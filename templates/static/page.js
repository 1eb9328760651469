// What pages do beyond plain HTML: a form goes out once, a replay has keys, #12 is position 12,
// and whoever chooses by keyboard stays where they are. Nothing here sends anything by itself.

const remembered = "fernpartie-focus";
const patience = 15_000; // milliseconds; whoever stopped the answer may then send once more

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

function keys(steps) {
  const by = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const link = by[event.key] && steps.querySelector(`a[data-step="${by[event.key]}"]`);
    if (!link) return;
    event.preventDefault();
    location.assign(link.href);
  });
}

function follow(steps) {
  const at = /^#(\d+)$/.exec(location.hash)?.[1];
  if (at && at !== steps.dataset.at) location.replace(`?at=${at}#${at}`);
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

const forms = document.querySelectorAll('form[method="post"]');
const board = document.querySelector("svg.board");
const steps = document.querySelector(".steps");
forms.forEach(once);
addEventListener("pageshow", () => forms.forEach(again));
if (board) stay(board);
if (steps) {
  keys(steps);
  follow(steps);
  addEventListener("hashchange", () => follow(steps));
}
