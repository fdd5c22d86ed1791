package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** Light and dark, as in the system or as the user chose. */
class ThemeTest extends BrowserTest {
    private static final String GROUND = "getComputedStyle(document.documentElement).backgroundColor";
    private static final String CARD =
            "[...document.querySelector('canvas.base').getContext('2d').getImageData(6, 6, 1, 1).data]"
                    + ".slice(0, 3).join()";

    /** The texts with too little contrast to their background, with their contrast. */
    static final String LOW_CONTRAST = """
        (() => {
          const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
          const over = (colours) => {
            pen.clearRect(0, 0, 1, 1);
            colours.forEach((colour) => {
              pen.fillStyle = colour;
              pen.fillRect(0, 0, 1, 1);
            });
            return pen.getImageData(0, 0, 1, 1).data;
          };
          const light = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
            const part = rgb[index] / 255;
            return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
          }, 0);
          const grounds = (element) =>
            element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : [];
          const contrast = (element) => {
            const ground = grounds(element);
            const colours = [over(ground), over([...ground, getComputedStyle(element).color])];
            const parts = colours.map((colour) => light(colour) + 0.05);
            return Math.max(...parts) / Math.min(...parts);
          };
          const speaks = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
          return [...document.querySelectorAll('body *')]
            .filter((each) => speaks(each) && each.offsetParent && !each.closest('option, script'))
            .map((each) => [contrast(each), each.innerText, each.className])
            .filter(([ratio]) => ratio < 4.5);
        })()
        """;

    @Test
    void followsTheSystem() {
        serve(SyntheticFleet.small());
        page.dark().go(server.url()).awaitFleet();
        assertThat(page.observe(GROUND).asText()).isEqualTo("rgb(13, 17, 22)");
        page.await(CARD + " === '21,26,33'").screenshot("overview-dark");

        page.light().await(GROUND + " === 'rgb(243, 245, 247)'").await(CARD + " === '255,255,255'");
    }

    @Test
    void keepsWhatTheReaderChose() {
        open("");
        page.press("t", "t").await(GROUND + " === 'rgb(13, 17, 22)'");
        page.await(CARD + " === '21,26,33'");

        page.go(server.url() + "?again").awaitFleet();

        assertThat(page.observe("document.documentElement.dataset.theme").asText())
                .isEqualTo("dark");
        assertThat(page.observe(GROUND).asText()).isEqualTo("rgb(13, 17, 22)");
    }

    @Test
    void darkensEveryPage() {
        serve(SyntheticFleet.small());
        page.dark().go(server.url() + "#/vm/default/feeds").awaitText(".now", "It waits");
        page.await("document.querySelector('.chart canvas').ariaLabel !== 'CPU'");
        page.screenshot("vm-dark").observe("location.hash = '#/node/node-c'");
        page.awaitText(".reservations", "default/feeds").screenshot("node-dark").observe("location.hash = '#/tap'");
        page.awaitText(".tap-state", "live").screenshot("tap-dark");
        assertThat(page.observe("getComputedStyle(document.querySelector('.tap-list')).backgroundColor")
                        .asText())
                .isEqualTo("rgb(21, 26, 33)");
    }

    /** Text must be readable on its background: 4.5 to 1 at least. */
    @Test
    void contrastsEnough() {
        for (var dark : new boolean[] {false, true}) {
            if (page != null) {
                page.close();
                server.close();
            }
            serve(SyntheticFleet.small());
            (dark ? page.dark() : page.light()).go(server.url() + "#/vm/default/feeds");
            page.awaitText(".now", "It waits");
            assertThat(page.observe(LOW_CONTRAST.strip()))
                    .as(dark ? "dark" : "light")
                    .isEmpty();
        }
    }
}
