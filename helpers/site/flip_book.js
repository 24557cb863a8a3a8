import { announce, choices, make, say, set, slider, tick, together } from "../course/kit.js";

export function render(root, data) {
  const place = data.controls.map((control) => control.start);
  const shows = [];
  const sliders = data.controls.filter((control) => control.kind === "slider").length;

  const move = (number, to) => {
    place[number] = to;
    // Sliders move one at a time: a picture of two that have left their start was not drawn.
    if (data.controls[number].kind === "slider")
      data.controls.forEach((control, k) => {
        if (control.kind === "slider" && k !== number) place[k] = control.start;
      });
    draw();
    announce(root, image.alt);
  };

  data.controls.forEach((control, number) => {
    const bar = make("div", root, "", "bar");
    if (control.kind === "tick") {
      const { input } = tick(bar, control.label, (on) => move(number, Number(on)));
      shows.push((to) => { input.checked = Boolean(to); });
    } else if (control.kind === "choice") {
      make("span", bar, control.label);
      shows.push(choices(bar, control.label, control.names, (to) => move(number, to)).show);
    } else {
      const range = { min: 0, max: control.names.length - 1 };
      const { box, show } = slider(bar, control.label, range, (to) => control.names[to], (to) => move(number, to));
      box.style.flex = "1 1 260px";
      shows.push(show);
    }
  });

  const figure = make("figure", root);
  figure.style.margin = "0";
  const image = make("img", figure);
  image.style.cssText = `display: block; width: ${data.width}px; max-width: 100%; height: auto; background: #fff; border-radius: 6px`;
  const caption = make("figcaption", figure);
  caption.style.maxWidth = `${data.width}px`;
  const about = [say("Drawn for the page: {count} pictures. The notebook draws every position.", { count: data.pictures.length })];
  if (sliders > 1) about.push(say("Moving one slider puts the others back."));
  make("small", make("p", root), together(...about)).style.margin = "0";

  function draw() {
    const picture = data.places[place.join(" ")];
    image.src = `data:image/png;base64,${data.pictures[picture]}`;
    set(image, { alt: data.alts[picture] });
    caption.textContent = data.captions[picture];
    shows.forEach((show, number) => show(place[number]));
  }
  draw();
}
