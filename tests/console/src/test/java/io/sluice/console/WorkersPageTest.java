package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** The page of workers and their instances. */
class WorkersPageTest extends BrowserTest {
    @Test
    void listsWorkersAndInstancesAloneAndOpensThem() {
        serve(SyntheticFleet.withWorkers());
        page.go(server.url());
        page.awaitFleet();
        page.press("g", "w").awaitText(".workers", "worker:edge-1");
        assertThat(page.text("nav [aria-current=page]")).isEqualTo("Workers");
        assertThat(page.text(".detail-head")).contains("2 registered, with 3 instances");
        assertThat(page.text(".workers")).contains("worker:edge-2").doesNotContain("node-a");
        assertThat(page.text(".instances")).contains("camera", "worker:edge-1").doesNotContain("catalog");
        page.screenshot("workers-light").dark().screenshot("workers-dark");
        assertThat(page.observe(ThemeTest.LOW_CONTRAST).toString()).isEqualTo("[]");

        page.observe("document.querySelector('.instances .grid').focus()");
        page.press("Home", "Enter").await("location.hash.startsWith('#/vm/')");
    }
}
