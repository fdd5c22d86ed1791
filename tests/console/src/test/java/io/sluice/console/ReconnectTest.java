package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The process stops and starts again. */
class ReconnectTest extends BrowserTest {
    @Test
    void showsThatItsContentIsOldAndComesBackByItself() {
        open("");
        server.down();

        page.awaitText(".banner", "Connection lost").awaitText(".banner", "Next try in");
        assertThat(page.text(".banner")).contains("The data is of", "old.");
        assertThat(page.observe("document.body.hasAttribute('data-stale')").asBoolean())
                .isTrue();
        assertThat(page.observe("getComputedStyle(document.querySelector('#page')).filter")
                        .asText())
                .contains("grayscale");
        page.screenshot("connection-lost");

        fleet.node("node-d", 8, 32);
        server.up();
        page.await("document.body.dataset.link === 'live'")
                .await("/nodes\\s+4/.test(document.querySelector('.strip').innerText)");
        assertThat(page.count(".banner")).isZero();
        assertThat(page.observe("document.body.hasAttribute('data-stale')").asBoolean())
                .isFalse();
        // The browser logs each failed try.
        page.forgetProblems();
    }

    @Test
    void triesAtOnceOnRequest() {
        open("");
        server.down();
        // The next try is so late that it does not come first.
        page.await("/Next try in ([5-9]|1\\d) s/.test(document.querySelector('.banner')?.innerText)");
        server.up();

        page.observe("document.querySelector('.banner button')?.click()");
        page.await("document.body.dataset.link === 'live'");
        page.forgetProblems();
    }

    @Test
    void waitsLongerAfterEachTryThatFails() {
        open("");
        var waits = waits("nowhere/at/all", "() => {}", 9);

        assertThat(waits.get(0).asLong()).isBetween(0L, 550L);
        assertThat(waits.get(8).asLong()).isBetween(7_000L, 15_100L);
        page.forgetProblems();
    }

    @Test
    void waitsLongerAfterEachMessageThatItCannotRead() {
        open("");
        var waits = waits("api/stream", "() => { throw new Error('a field is missing'); }", 6);

        assertThat(waits.get(5).asLong()).isGreaterThan(4_000L);
        page.forgetProblems();
    }

    /** How long a stream waits before each try, in ms. */
    private JsonNode waits(String path, String event, int tries) {
        return page.observe("""
            import('./assets/js/link.js').then(({ Link }) => new Promise((done) => {
              const waits = [];
              const state = ({ phase, retryAt }) => {
                if (phase !== 'lost') return;
                waits.push(retryAt - Date.now());
                if (waits.length < %d) {
                  link.retryNow();
                } else {
                  link.close();
                  done(waits);
                }
              };
              const link = new Link('%s', { event: %s, state });
              link.open();
            }))
            """.formatted(tries, path, event));
    }

    @Test
    void doesNotCountDecisionsTwice() {
        open("");
        var rows = page.observe("document.querySelectorAll('.decisions li').length")
                .asInt();
        server.down();
        page.awaitText(".banner", "Connection lost");
        server.up();
        page.await("document.body.dataset.link === 'live'");
        // Data arrived again, and was drawn.
        page.await("document.body.dataset.updates > "
                + (page.observe("document.body.dataset.updates").asInt() + 1));

        assertThat(page.count(".decisions li")).isEqualTo(rows);
        page.forgetProblems();
    }
}
