package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A door with a token. */
class LoginTest extends BrowserTest {
    @Test
    void asksForTheTokenAndGoesOnOnceItIsTaken() {
        serve(SyntheticFleet.small());
        api.token("open sesame");
        page.go(server.url() + "#/config").awaitText("dialog.login", "Who is asking?");
        page.screenshot("login");

        page.await("document.activeElement.matches('dialog input')")
                .type("guess")
                .press("Enter");
        page.awaitText("dialog.login", "That token is not the one.");
        page.see("document.querySelector('dialog input').value = ''");
        page.type("open sesame").press("Enter");

        page.await("!document.querySelector('dialog')").await("document.body.dataset.link === 'live'");
        page.awaitText(".config", "permitTimeout");
        assertThat(page.see("document.cookie").asText())
                .as("what a script can read")
                .isEmpty();
        // The browser tells of each 401.
        page.forgetProblems();
    }
}
