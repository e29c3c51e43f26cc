// Opens a page in the headless Chromium that set-up unpacked into a folder.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
export const DESK = { width: 1280, height: 900 };

export async function openPage(browserFolder, file, viewport, dark) {
  const puppeteer = createRequire(path.join(browserFolder, 'package.json'))('puppeteer-core');
  const browser = await puppeteer.launch({
    executablePath: path.join(browserFolder, 'chromium'),
    headless: 'shell',
    pipe: true,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--in-process-gpu', '--no-zygote', '--single-process', '--disable-dev-shm-usage'],
    env: { ...process.env, LD_LIBRARY_PATH: path.join(browserFolder, 'lib'), FONTCONFIG_FILE: path.join(browserFolder, 'fonts.conf') },
  });
  const page = await browser.newPage();
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('request', (request) => request.url().startsWith('http') && trouble.push(`asks for ${request.url()}`));
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.goto(pathToFileURL(file).href);
  return { browser, page, trouble };
}
