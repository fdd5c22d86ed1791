package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** A listener with a token. */
class LoginTest extends BrowserTest {
    @Test
    void requestsTheTokenAndGoesOnOnceItIsTaken() {
        serve(SyntheticFleet.small());
        api.token("open sesame");
        page.go(server.url() + "#/config").awaitText("dialog.login", "This console requires a token");
        page.screenshot("login");

        page.await("document.activeElement.matches('dialog input')")
                .type("guess")
                .press("Enter");
        page.awaitText("dialog.login", "This token is not accepted.");
        page.observe("document.querySelector('dialog input').value = ''");
        page.type("open sesame").press("Enter");

        page.await("!document.querySelector('dialog')").await("document.body.dataset.link === 'live'");
        page.awaitText(".config", "permitTimeout");
        assertThat(page.observe("document.cookie").asText())
                .as("what a script can read")
                .isEmpty();
        // The browser logs each 401.
        page.forgetProblems();
    }

    @Test
    void requestsATokenAlsoWhereTheHelpIsOpenAndAgainOnRequest() {
        serve(SyntheticFleet.small());
        page.go(server.url()).await("document.body.dataset.link === 'live'");
        page.press("?").await("document.querySelector('dialog.help')");

        api.token("open sesame");
        page.observe("location.hash = '#/config'");
        page.awaitText("dialog.login", "This console requires a token");
        // The close event of the help comes in a later task.
        page.observe("new Promise((done) => setTimeout(() => requestAnimationFrame(done)))");
        assertThat(page.count("dialog.login")).isOne();

        server.down();
        server.up();
        page.await("document.body.dataset.link === 'locked'");
        page.observe("document.querySelector('dialog').close()");
        page.await("!document.querySelector('dialog')");
        page.click(".banner button").awaitText("dialog.login", "This console requires a token");
        page.forgetProblems();
    }
}
