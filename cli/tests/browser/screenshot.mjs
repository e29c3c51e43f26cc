// A picture of a report, as a browser shows it.
//
// usage: node screenshot.mjs BROWSER PAGE PICTURE
import { DESK, openPage } from './open.mjs';

const [browserFolder, file, picture] = process.argv.slice(2);
const { browser, page, trouble } = await openPage(browserFolder, file, DESK, false);
await page.screenshot({ path: picture });
await browser.close();
if (trouble.length > 0) {
  console.error(trouble.join('\n'));
  process.exit(1);
}
