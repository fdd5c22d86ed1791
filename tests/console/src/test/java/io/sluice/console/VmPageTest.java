package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** The page of one VM. */
class VmPageTest extends BrowserTest {
    private static final String INKED = """
        [...document.querySelectorAll('.chart canvas')].every((canvas) =>
          canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0))\
        """;

    private static final String SPAN_HOURS = """
        (({min, max}) => (max - min) / 3600000)(Chart.getChart(document.querySelector('.chart canvas')).scales.x)\
        """;

    @Test
    void showsWhatItWaitsForSinceWhenAndWhy() {
        open("#/vm/default/feeds");
        page.awaitText(".now", "3000m requested, 2500m permitted").awaitText(".side-column", "session 3, request 1841");

        assertThat(page.text(".detail-head"))
                .contains("default/feeds", "room", "short of room on the node, for", "node-c");
        assertThat(page.text(".side-column"))
                .containsPattern("size\\s+2.5\\s+10 GiB")
                .containsPattern("goal\\s+3\\s+12 GiB")
                .containsPattern("minimum\\s+250m\\s+1 GiB")
                .containsPattern("maximum\\s+4\\s+16 GiB")
                .containsPattern("CPU\\s+11.69")
                .contains("runner-7f3a/41", "10.1.0.12:9100");
        assertThat(page.count(".reasons li")).isEqualTo(14);
        page.await(INKED);
        assertThat(page.observe("document.querySelector('.chart canvas').getAttribute('aria-label')")
                        .asText())
                .startsWith("CPU: size between")
                .contains("now 2.5", "load, 1 minute");
        page.screenshot("vm-light").size(800, 1000).screenshot("vm-narrow");
    }

    @Test
    void requestsWhatHeldAtATimeThatTheReaderPicks() {
        open("#/vm/default/feeds");
        page.click(".reasons li:nth-child(3) button");

        page.awaitText(".now", "Then it had what it needed").awaitText(".past", "As of");
        assertThat(api.requested()).anyMatch(path -> path.matches("/api/why/vm/default/feeds\\?at=\\d{13}"));
        assertThat(page.observe("location.hash").asText()).matches("#/vm/default/feeds\\?at=\\d{13}");

        page.click(".why .at button").awaitText(".now", "It waits for room");
    }

    @Test
    void warnsOfAnAnnotationThatIsNoGood() {
        open("#/vm/default/mailer");
        page.awaitText(".complaints", "autoscaling.neon.tech/bounds: <b>min</b> must not be above max");

        assertThat(page.text(".complaints"))
                .contains("An annotation of it is invalid", "the last valid one stays in force");
        assertThat(page.count(".complaints li")).isEqualTo(1);
        page.screenshot("vm-complaint");
    }

    @Test
    void hasNoWarningWhereAllAnnotationsAreGood() {
        open("#/vm/default/feeds");
        page.awaitText(".side-column", "ep-quiet-forest-41207");

        assertThat(page.count(".complaints")).isZero();
        assertThat(page.text(".side-column")).containsPattern("restarts\\s+2").doesNotContain("project");
    }

    @Test
    void linksToItsNode() {
        open("#/vm/default/feeds");
        page.click(".crumbs a:last-child")
                .await("location.hash === '#/node/node-c'")
                .awaitText("h1", "node-c");
    }

    @Test
    void followsAMigration() {
        open("#/vm/default/sessions");
        page.awaitText(".moving-line", "running, for");
        assertThat(page.text(".moving-line")).contains("node-c", "node-b");

        fleet.endMigrations();
        api.report(fleet.stir(0).set("migrations", SyntheticFleet.JSON.arrayNode()));

        page.await("!document.querySelector('.moving-line')");
    }

    @Test
    void showsTheBillOfAVmThatIsGone() {
        open("#/vm/default/nobody");
        page.awaitText(".notice", "there is none of that name").awaitText(".bill-sum", "vCPU-seconds");
        // The browser logs each URL that returns 404.
        page.forgetProblems();
    }

    @Test
    void showsTheSpanThatIsChosenByKeyboard() {
        open("#/vm/default/catalog");
        page.await(INKED);
        page.observe("document.querySelector('.charts .choice button').focus()");
        page.press("Enter").await(SPAN_HOURS + " < 0.2");

        page.press("Tab", "Tab", "Tab", "Enter").await(SPAN_HOURS + " > 20");
        assertThat(page.observe("document.querySelector('.charts .choice button[aria-pressed=true]').innerText")
                        .asText())
                .isEqualTo("24 h");
        page.screenshot("vm-day-light").dark().screenshot("vm-day-dark");
    }

    @Test
    void showsItsBillByTheHourWithWhatIsNotBilled() {
        open("#/vm/default/feeds");
        // The driver and mean sizes come with another reply than the bill.
        page.awaitText(".bill-sum", "vCPU-seconds").awaitText(".bill header", "driver neonvm");

        assertThat(page.text(".bill-sum")).contains("vCPU-hours", "in use", "165 s not billed");
        assertThat(page.count(".bill tr")).isEqualTo(1 + 24);
        assertThat(page.text(".bill"))
                .contains("125 s: its changes were not received", "40 s: no process billed it")
                .doesNotContain("since");
        assertThat(page.text(".bill tr:nth-child(3)")).containsPattern("1 h\\s+[\\d.]+m?");
        page.size(1440, 1140).click(".charts .choice button:last-child").await(SPAN_HOURS + " > 20");
        page.screenshot("vm-bill-light").dark().screenshot("vm-bill-dark");
    }

    @Test
    void showsSinceWhenItsBillIsKnown() {
        open("#/vm/default/catalog");
        page.awaitText(".bill", "when the process that leads billing began").awaitText(".bill header", "driver pod");

        assertThat(page.text(".bill header")).containsPattern("since \\d\\d:\\d\\d");
        assertThat(page.count(".bill tr")).isEqualTo(1 + 6);
    }

    @Test
    void staysWholeWhenNoProcessLeadsBilling() {
        open("#/vm/default/mailer");
        page.awaitText(".bill", "It is unknown: no process leads billing").awaitText(".side-column", "size");
    }

    @Test
    void showsWhyNothingIsBilled() {
        open("#/vm/default/sessions");
        page.awaitText(".bill", "Nothing was billed. It has no annotation autoscaling.neon.tech/billing-endpoint-id.");
    }
}
