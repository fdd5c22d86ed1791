package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.console.api.Clusters;
import io.sluice.console.api.SyntheticDocuments;
import io.sluice.console.api.SyntheticFleet;
import io.sluice.console.api.Taps;
import org.junit.jupiter.api.Test;

/** The page of the processes. */
class ClusterPageTest extends BrowserTest {
    private static final String MARKUP = "<img src=x onerror=document.body.dataset.hit=1>\"'><b>bold</b>";

    private void openCluster(ObjectNode cluster) {
        serve(SyntheticFleet.small());
        var documents = new SyntheticDocuments(fleet);
        api.documents(address -> address.equals("/api/cluster") ? cluster : documents.apply(address));
        page.go(server.url() + "#/cluster");
        page.awaitFleet();
    }

    @Test
    void showsWhichProcessesAreThereAndWhatEachWaitsFor() {
        openCluster(Clusters.three());
        page.awaitText(".members", "1f3a");

        assertThat(page.count(".members tbody")).isEqualTo(3);
        assertThat(page.text(".members tbody:nth-of-type(1)"))
                .contains("1f3a", "this one", "10.0.0.1:5701", "ready", "gateway, ledger", "yes", "1 h 2 min", "0.1.0");
        assertThat(page.text(".members tbody:nth-of-type(2)"))
                .contains("2b4c", "waits", "agent", "7 runners", "12", "940")
                .contains("peers no process with the role monitor exists (agent needs it)");
        assertThat(page.text(".members tbody:nth-of-type(3)"))
                .contains("3c5d", "silent", "does not reply for 42 s: there was no reply within 1 s");
        assertThat(page.text(".detail-head")).contains("not ready", "2 of 3 reply");
        page.screenshot("cluster-light").size(800, 1000).screenshot("cluster-narrow");
    }

    @Test
    void showsWhetherPermitsAreGrantedAndWhichProcessHoldsWhat() {
        openCluster(Clusters.three());
        page.awaitText(".grants", "not granted");

        assertThat(page.text(".grants"))
                .contains("1 of 3 ledger processes is present: 2 are needed", "1 of 3 present", "some are missing");
        assertThat(page.text(".shares"))
                .containsPattern("pressure\\s+1f3a")
                .containsPattern("VMs of 2b4c\\s+12")
                .containsPattern("VMs of 3c5d\\s+not reported yet");
        assertThat(page.text(".notes")).contains("4d6e left");
    }

    @Test
    void followsWhatChanges() {
        var cluster = Clusters.three();
        openCluster(cluster);
        page.awaitText(".grants", "not granted");
        cluster.putObject("grants").put("allowed", true).put("sentence", "");
        cluster.put("ready", true);

        page.press("r").awaitText(".detail-head", "ready");
        page.await("!document.querySelector('.grants').innerText.includes('not granted')");
    }

    @Test
    void aProcessThatIsAloneShowsItInASentence() {
        openCluster(Clusters.alone());
        page.awaitText(".cluster", "This process is alone: it is in no Hazelcast cluster");

        assertThat(page.count(".cluster table, .cluster .panel")).isZero();
    }

    @Test
    void isReachedByKeyboardAndByTheHead() {
        open("");

        page.press("g", "m").await("location.hash === '#/cluster'").awaitText(".members", "1f3a");
        assertThat(page.text("nav [aria-current=page]")).isEqualTo("Cluster");
        assertThat(page.observe("document.title").asText()).startsWith("Cluster");
    }

    @Test
    void looksInTheDarkAsInTheLight() {
        openCluster(Clusters.three());
        page.awaitText(".members", "1f3a");
        assertThat(page.observe(ThemeTest.LOW_CONTRAST).toString()).isEqualTo("[]");
        page.dark().await("getComputedStyle(document.documentElement).backgroundColor === 'rgb(13, 17, 22)'");
        page.screenshot("cluster-dark");
        assertThat(page.observe(ThemeTest.LOW_CONTRAST).toString()).isEqualTo("[]");
    }

    @Test
    void showsMarkupAsText() {
        openCluster(Clusters.hostile(MARKUP));
        page.awaitText(".members", MARKUP)
                .awaitText(".grants", MARKUP)
                .awaitText(".shares", MARKUP)
                .awaitText(".notes", MARKUP);

        assertThat(page.count("#page img, #page b:not(.troubles b)")).isZero();
        assertThat(page.observe("document.body.dataset.hit").isMissingNode()).isTrue();
    }

    @Test
    void theTapNamesTheProcessOfAMessageAndThoseThatDoNotReply() {
        open("#/tap");
        page.awaitText(".tap-state", "live");
        await(() -> api.tapping() == 1);
        api.tap("message", Taps.message(0));
        page.awaitText(".tap-state", "1 of at most 500");
        assertThat(page.text(".grid-head")).doesNotContain("process");

        api.tap("message", Taps.message(1).put("process", "2b4c"));
        var taps = SyntheticFleet.JSON.objectNode();
        var members = taps.putArray("members");
        members.addObject().put("id", "2b4c").put("gaps", 0).put("reason", "");
        members.addObject().put("id", "3c5d").put("gaps", 0).put("reason", "no process replies there " + MARKUP);
        api.tap("members", taps);

        page.awaitText(".grid-head", "process").awaitText(".grid", "2b4c");
        page.awaitText(".tap-state", "no messages from: 3c5d (no process replies there " + MARKUP + ")");
        assertThat(page.count("#page img")).isZero();
    }
}
