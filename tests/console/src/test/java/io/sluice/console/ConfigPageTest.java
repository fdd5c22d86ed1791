package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The page of the config, the dump and the profile. */
class ConfigPageTest extends BrowserTest {
    @Test
    void showsTheConfigInForce() {
        open("#/config");
        page.awaitText(".config", "permitTimeout");

        assertThat(page.text(".config")).contains("version 0.1.0, roles all, lab", "/etc/sluice/token");
        assertThat(page.text(".keys [data-set]")).containsPattern("scrapePeriod\\s+250ms\\s+default 5s");
        page.screenshot("config-light");
        page.press("d").await("document.querySelectorAll('.keys tr').length === 4");
        page.press("f").type("watermark").await("document.querySelectorAll('.keys tr').length === 1");
        assertThat(page.text(".keys tr")).containsPattern("watermark\\s+0.85\\s+default 0.8\\s+live");
        assertThat(page.observe("document.querySelector('.config a.button').href")
                        .asText())
                .isEqualTo(server.url() + "dump");
    }

    @Test
    void recordsAProfile() {
        open("#/config");
        page.awaitText(".config", "Record").observe("document.querySelector('[name=seconds]').value = 7");
        page.click(".inline button").awaitText(".config", "Save sluice-");

        assertThat(api.requested()).contains("/api/profile?seconds=7");
        assertThat(page.observe("document.querySelector('a[download]').href").asText())
                .startsWith("blob:");
        assertThat(page.observe("document.querySelector('a[download]').download")
                        .asText())
                .matches("sluice-\\d{4}-\\d\\d-\\d\\dT\\d{6}\\.jfr");
    }
}
