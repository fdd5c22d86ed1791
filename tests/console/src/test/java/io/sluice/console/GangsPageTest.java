package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.Gangs;
import io.sluice.console.api.SyntheticDocuments;
import io.sluice.console.api.SyntheticFleet;
import org.junit.jupiter.api.Test;

/** The page of gangs and their members. */
class GangsPageTest extends BrowserTest {
    private static final String MARKUP = "<img src=x onerror=document.body.dataset.hit=1>";

    @Test
    void listsGangsWithWhatIsHeldAndWhyTheyWait() {
        open("");
        page.press("g", "g").awaitText(".gangs", "default/train");
        assertThat(page.text("nav [aria-current=page]")).isEqualTo("Gangs");
        assertThat(page.text(".detail-head")).contains("1 of 2 waits");
        assertThat(page.text(".gangs .grid-space .grid-row:first-child"))
                .containsPattern("default/train\\s+Scheduling\\s+16\\s+16\\s+12\\s+0\\s+GANG_NO_ROOM\\(12/16\\)");
        assertThat(page.count(".members")).isZero();

        page.observe("document.querySelector('.gangs .grid').focus()");
        page.press("Home", "Enter").awaitText(".members", "Members of default/train");
        assertThat(page.count(".members tbody tr")).isEqualTo(16);
        assertThat(page.text(".members tbody tr:first-child")).containsPattern("train-0\\s+held\\s+node-a");
        assertThat(page.text(".members tbody tr:last-child")).containsPattern("train-15\\s+pending\\s+none");
        page.screenshot("gangs-light").dark().screenshot("gangs-dark");
        assertThat(page.observe(ThemeTest.LOW_CONTRAST).toString()).isEqualTo("[]");
        page.size(800, 1000).screenshot("gangs-narrow");
        assertThat(page.observe("document.querySelector('.members tbody a').hash")
                        .asText())
                .isEqualTo("#/pod/default/train-0");
    }

    @Test
    void showsMarkupAsText() {
        serve(SyntheticFleet.small());
        var documents = new SyntheticDocuments(fleet);
        api.documents(address -> address.equals("/api/gangs") ? Gangs.two(MARKUP) : documents.apply(address));
        page.go(server.url() + "#/gangs?gang=default/train%20scheduling.x-k8s.io");

        page.awaitText(".members .now", MARKUP);
        assertThat(page.count("#page img")).isZero();
        assertThat(page.observe("document.body.dataset.hit").isMissingNode()).isTrue();
    }
}
