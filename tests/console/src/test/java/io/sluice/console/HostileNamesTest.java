package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import io.sluice.console.api.Taps;
import org.junit.jupiter.api.Test;

/** Names, reasons and messages with markup in them are text, on every page. */
class HostileNamesTest extends BrowserTest {
    private static final String MARKUP = "<img src=x onerror=document.body.dataset.hit=1>\"'><b>bold</b>";

    @Test
    void showsMarkupAsText() {
        fleet = SyntheticFleet.small();
        fleet.node("n<b>", 4, 16).vm("x<i>", "n<b>", 2, 3, 4, "ROOM", MARKUP);
        serve(fleet);
        fleet.decideFor("default/x<i>", MARKUP);
        page.go(server.url()).awaitText(".decisions", MARKUP);
        page.press("/").type("x<i>").awaitText("#found", "default/x<i>");
        page.press("Enter").awaitText("h1", "default/x<i>").awaitText(".side-column", MARKUP);
        page.observe("location.hash = '#/node/n%3Cb%3E'");
        page.awaitText("h1", "n<b>").awaitText(".reservations", "default/x<i>");
        page.observe("location.hash = '#/?view=vms'");
        page.awaitText(".grid", MARKUP);
        page.observe("location.hash = '#/tap'");
        page.awaitText(".tap-state", "live");
        await(() -> api.tapping() == 1);
        api.tap("message", Taps.message(0).put("failed", MARKUP).put("address", MARKUP));
        page.awaitText(".grid", MARKUP).click(".grid-space .grid-row").awaitText(".tap-detail h2", MARKUP);

        // The console's own rendering: nothing bold, no image.
        assertThat(page.count("#page b, #page img, #page i:not(.way)")).isZero();
        assertThat(page.observe("document.body.dataset.hit").isMissingNode()).isTrue();
    }
}
