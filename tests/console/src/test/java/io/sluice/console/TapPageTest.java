package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import io.sluice.console.api.Taps;
import org.junit.jupiter.api.Test;

/** The tap: messages that pass, filtered in the process, bounded, paused on request. */
class TapPageTest extends BrowserTest {
    @Test
    void showsWhatPassesNewestFirst() {
        openTap("");
        for (int i = 0; i < 30; i++) {
            api.tap("message", Taps.message(i));
        }
        page.awaitText(".tap-state", "30 of at most 500");

        assertThat(page.text(".grid-space .grid-row")).contains("monitor.downscale", "109 B");
        assertThat(page.text(".grid"))
                .contains("ledger.permit", "default/catalog", "node-a", "TIMEOUT: no answer in 1s");
        page.observe("document.querySelector('.grid').focus()");
        page.press("ArrowDown", "ArrowDown").awaitText(".json", "seq: 27");
        assertThat(page.text(".tap-detail")).contains("goal 7 CU", "target: \"1750m/7Gi\"");
        page.screenshot("tap-light").size(800, 1000).screenshot("tap-narrow");
    }

    @Test
    void keepsNoMoreThanItShows() {
        openTap("");
        for (int i = 0; i < 700; i++) {
            api.tap("message", Taps.message(i));
        }
        api.tap("dropped", SyntheticFleet.JSON.objectNode().put("dropped", 17));

        page.awaitText(".tap-state", "500 of at most 500").awaitText(".tap-state", "17 dropped");
        assertThat(page.observe("document.querySelector('.grid').getAttribute('aria-rowcount')")
                        .asInt())
                .isEqualTo(501);
        assertThat(page.observe("document.querySelectorAll('*').length").asInt())
                .isLessThan(1500);
    }

    @Test
    void standsStillWhilePaused() {
        openTap("");
        api.tap("message", Taps.message(0));
        page.awaitText(".tap-state", "1 of at most 500").press("p").awaitText(".tap-state", "paused");

        api.tap("message", Taps.message(1));

        page.awaitText(".tap-state", "paused, 1 waiting");
        assertThat(page.text(".tap-state")).contains("1 of at most 500");
        page.press("p").awaitText(".tap-state", "2 of at most 500");
        page.press("x").awaitText(".tap-state", "0 of at most 500");
    }

    @Test
    void filtersAtTheSource() {
        openTap("?vm=default%2Fcat*&kind=event");
        assertThat(api.requested()).anyMatch(path -> path.contains("/api/tap?vm=default%2Fcat*&kind=event"));

        page.press("f").await("document.activeElement.matches('.toolbar input')");
        page.observe("document.querySelectorAll('.toolbar input')[2].focus()");
        page.type("ledger.*");

        page.await("location.hash.includes('address=ledger.*')");
        awaitRequested("/api/tap?vm=default%2Fcat*&address=ledger.*&kind=event");
    }

    private void openTap(String query) {
        open("#/tap" + query);
        page.awaitText(".tap-state", "live");
        await(() -> api.tapping() == 1);
    }

    private void awaitRequested(String path) {
        await(() -> api.requested().stream().anyMatch(requested -> requested.endsWith(path)));
    }
}
