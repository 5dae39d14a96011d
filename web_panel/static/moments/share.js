// Shares the result of a game as a picture or as text: by the browser's own dialog, or else as a download and a copy.

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 64;
const CHART = { x: 520, y: 150, width: 616 };
const FILE_NAME = "cribboard.png";

/** Share or save the picture. Returns what was done: "shared", "saved", or "" if the person changed their mind. */
export async function sharePicture(result, chart) {
  const blob = await picture(result, chart);
  const file = new File([blob], FILE_NAME, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return shareBy({ files: [file], text: result.share_text });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = FILE_NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  return "saved";
}

/** Share or copy the text. Returns "shared", "copied", or "". */
export async function shareText(result) {
  if (navigator.share) return shareBy({ text: result.share_text });
  await copy(result.share_text);
  return "copied";
}

async function shareBy(content) {
  try {
    await navigator.share(content);
    return "shared";
  } catch {
    return ""; // cancelled
  }
}

/** The clipboard of the browser needs https or localhost; elsewhere the old way still works. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** The picture as a PNG, in the colours of the page by day. */
function picture(result, chart) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  const felt = pen.createRadialGradient(WIDTH * 0.3, 0, 0, WIDTH * 0.3, 0, WIDTH);
  felt.addColorStop(0, "#1f5c47");
  felt.addColorStop(1, "#164736");
  pen.fillStyle = felt;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawWords(pen, result);
  if (chart) drawChart(pen, chart, result.colours);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function drawWords(pen, result) {
  const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif");
  const sans = getComputedStyle(document.documentElement).getPropertyValue("--sans");
  pen.fillStyle = "#f6f2e4";
  pen.font = `600 56px ${serif}`;
  fit(pen, result.headline, EDGE, 104, WIDTH - 2 * EDGE);
  result.sides.forEach(({ name, score }, side) => {
    const y = 226 + side * Math.min(110, 260 / result.sides.length);
    pen.font = `400 32px ${sans}`;
    fit(pen, name, EDGE, y, 230);
    pen.font = `700 64px ${sans}`;
    pen.textAlign = "right";
    pen.fillText(score, CHART.x - 56, y + 10);
    pen.textAlign = "left";
  });
  pen.fillStyle = "#cfdccb";
  pen.font = `400 28px ${sans}`;
  if (result.best_hand) fit(pen, result.best_hand.summary, EDGE, 528, WIDTH - 2 * EDGE);
  fit(pen, "cribboard", EDGE, 582, 400);
}

/** A text that is too wide is written smaller. */
function fit(pen, text, x, y, width) {
  const { font } = pen;
  const shrink = Math.min(1, width / pen.measureText(text).width);
  pen.font = font.replace(/([\d.]+)px/, (_, size) => `${size * shrink}px`);
  pen.fillText(text, x, y, width);
  pen.font = font;
}

/** The lines of the chart on the page, on paper. */
function drawChart(pen, chart, colours) {
  const { width, height } = chart.viewBox.baseVal;
  const scale = CHART.width / width;
  pen.save();
  pen.translate(CHART.x, CHART.y);
  pen.fillStyle = "#fffdf8";
  pen.beginPath();
  pen.roundRect(-16, -12, CHART.width + 32, height * scale + 24, 20);
  pen.fill();
  pen.scale(scale, scale);
  pen.font = "12px sans-serif";
  for (const element of chart.querySelectorAll("path, circle, text")) drawElement(pen, element, colours);
  pen.restore();
}

function drawElement(pen, element, colours) {
  const side = /side-(\d)/.exec(element.parentElement.getAttribute("class") ?? "")?.[1];
  const colour = side === undefined ? "#857862" : (colours[side] ?? "#221c15");
  pen.fillStyle = element.tagName === "text" ? "#221c15" : colour;
  pen.strokeStyle = colour;
  if (element.tagName === "text") {
    pen.textAlign = element.getAttribute("text-anchor") === "end" ? "right" : "left";
    pen.fillText(element.textContent, element.getAttribute("x"), element.getAttribute("y"));
    pen.textAlign = "left";
  } else if (element.tagName === "circle") {
    pen.beginPath();
    pen.arc(element.getAttribute("cx"), element.getAttribute("cy"), element.getAttribute("r"), 0, 2 * Math.PI);
    pen.fill();
  } else {
    const dashes = element.getAttribute("stroke-dasharray") ?? "none";
    pen.setLineDash(dashes === "none" ? [] : dashes.split(" ").map(Number));
    pen.lineWidth = side === undefined ? 0.7 : 2.5;
    pen.stroke(new Path2D(element.getAttribute("d")));
    pen.setLineDash([]);
  }
}
