// Dialogs.

import { element } from "./dom.js";

/** Shows a dialog, which is removed when it is closed. */
export function dialog(title, ...children) {
  const made = element("dialog", { "aria-label": title, onclose: () => made.remove() }, element("h2", {}, title), ...children);
  document.body.append(made);
  made.showModal();
  return made;
}

/** Asks for confirmation before an action that cannot be undone; the button to cancel has the focus. */
export function confirmed(title, text, label) {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const stop = element("button", { type: "button", autofocus: true, onclick: () => made.close() }, "Cancel");
    const go = element("button", { type: "button", class: "danger", onclick: () => {
      isConfirmed = true;
      made.close();
    } }, label);
    const made = dialog(title, element("p", {}, text), element("div", { class: "buttons" }, stop, go));
    made.addEventListener("close", () => resolve(isConfirmed));
  });
}
