package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.console.api.SyntheticDocuments;
import org.junit.jupiter.api.Test;

/** The page of one node. */
class NodePageTest extends BrowserTest {
    @Test
    void showsWhatItHasReservedAndForWhichPods() {
        open("#/node/node-c");
        page.awaitText(".now", "VMs should leave node-c").awaitText(".reservations", "default/feeds");

        assertThat(page.text(".side-column"))
                .containsPattern("watermark\\s+6.4\\s+25.6 GiB")
                .containsPattern("requested and refused\\s+500m\\s+2 GiB")
                .containsPattern("leaving\\s+1.25\\s+5 GiB")
                .containsPattern("slack\\s+0\\s+2 GiB");
        assertThat(page.text(".big-bar")).contains("91", "7.25 of 8 cores");
        assertThat(page.text(".ranking"))
                .contains("default/feeds", "asks least for what it frees", "1 would not leave");
        assertThat(page.count(".reasons li")).isEqualTo(14);
        page.screenshot("node-light").size(800, 1000).screenshot("node-narrow");
    }

    @Test
    void sortsPodsThatHoldAReservation() {
        open("#/node/node-a");
        page.awaitText(".reservations .grid-space .grid-row", "default/search");

        page.click(".reservations [role=columnheader]:first-child button");

        page.awaitText(".reservations .grid-space .grid-row", "default/catalog");
        assertThat(page.observe("document.querySelector('.reservations [aria-sort=ascending]').innerText")
                        .asText())
                .contains("VM or pod");
    }

    @Test
    void opensTheRowAtTheCursor() {
        open("#/node/node-a");
        page.awaitText(".reservations", "default/search");
        page.observe("document.querySelector('.reservations .grid').focus()");
        page.press("End", "ArrowUp", "Enter");

        page.await("location.hash === '#/vm/default/encoder'");
    }

    @Test
    void showsWhenThereIsNoSuchNode() {
        open("#/node/node-z");
        page.awaitText(".notice", "there is none of that name");
        // The browser logs each URL that returns 404.
        page.forgetProblems();
    }

    @Test
    void showsWhatTheLedgerDoesNotReport() {
        open("#/node/node-a");
        var documents = new SyntheticDocuments(fleet);
        api.documents(address -> {
            var document = documents.apply(address);
            if (address.startsWith("/api/nodes/") && document instanceof ObjectNode node) {
                node.put("reservationsKnown", false).put("rankingKnown", false);
                node.putArray("reservations");
                node.putArray("ranking");
            }
            return document;
        });

        page.awaitText(".main-column", "The ledger does not reply: unknown.")
                .awaitText(".ranking", "No process replies with the ranking.");
    }
}
