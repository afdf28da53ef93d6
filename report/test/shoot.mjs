// SPDX-License-Identifier: BSD-3-Clause
// Pictures of reports for the documentation: what the buttons of a page save, the top of a page, small pictures for a list.
//     node test/shoot.mjs JOBS.json
// JOBS: a list of { page, out, plot, part, width, height, at, theme }. `out` ends in .svg or .png: what the page saves of `plot`, the
// element `part`, or the top of the page; or in .webp: the picture of `plot` (the first of a list that the page has) alone, in that size.
// `at` is the place of the slider, from 0 to 1. Times that differ from run to run are taken out.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { launch, settle } from './reader.mjs';

/** The canvases of a plot in a picture of this size: its middle, without empty margins of another form. */
function small([id, width, height]) {
  const layers = [...document.querySelectorAll(`[data-plot="${id}"] .plot canvas`)];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  for (const layer of layers) {
    const scale = Math.min(width / layer.width, height / layer.height);
    const [w, h] = [layer.width * scale, layer.height * scale];
    context.drawImage(layer, (width - w) / 2, (height - h) / 2, w, h);
  }
  return canvas.toDataURL('image/webp', 0.82);
}

async function saved(page, plot, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-plot="${plot}"] [data-do="${button}"]`)]);
  return readFileSync(await download.path());
}

async function pictureOf(page, { out, plot, part, width, height }) {
  if (out.endsWith('.webp')) {
    const ids = await page.$$eval('.panel', (list) => list.map((figure) => figure.dataset.plot));
    const id = plot.find((name) => ids.includes(name)) ?? ids[0];
    return Buffer.from((await page.evaluate(small, [id, width, height])).split(',')[1], 'base64');
  }
  if (part) return (await page.$(part)).screenshot();
  if (plot) return saved(page, plot, out.endsWith('.svg') ? 'vector' : 'save');
  return page.screenshot({ clip: { x: 0, y: 0, width, height }, fullPage: true });
}

const browser = await launch();
try {
  for (const job of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
    const wide = job.out.endsWith('.webp') ? 420 : job.width;
    const page = await browser.newPage({ viewport: { width: wide, height: 900 }, colorScheme: job.theme ?? 'light' });
    await page.goto(pathToFileURL(job.page).href);
    await settle(page);
    await page.$$eval('.headline div', (list) => list.filter((item) => item.textContent.startsWith('wall time')).forEach((item) => item.remove()));
    const slider = await page.$('.player input');
    if (slider && job.at !== undefined) await slider.evaluate((input, at) => { input.value = at * input.max; input.dispatchEvent(new Event('input')); }, job.at);
    await settle(page);
    writeFileSync(job.out, await pictureOf(page, job));
    await page.close();
  }
} finally {
  await browser.close();
}
