package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** The page of one node. */
class NodePageTest extends BrowserTest {
    @Test
    void saysWhatItHasPromisedAndToWhom() {
        open("#/node/node-c");
        page.awaitText(".now", "VMs should leave node-c").awaitText(".members", "default/feeds");

        assertThat(page.text(".side-column"))
                .containsPattern("watermark\\s+6.4\\s+25.6 GiB")
                .containsPattern("asked and refused\\s+500m\\s+2 GiB")
                .containsPattern("on its way out\\s+1.25\\s+5 GiB")
                .containsPattern("slack\\s+0\\s+2 GiB");
        assertThat(page.text(".big-bar")).contains("91", "7.25 of 8 cores");
        assertThat(page.text(".ranking"))
                .contains("default/feeds", "asks least for what it frees", "1 would not leave");
        assertThat(page.count(".reasons li")).isEqualTo(14);
        page.screenshot("node-light").size(800, 1000).screenshot("node-narrow");
    }

    @Test
    void sortsThoseWhoHoldSomething() {
        open("#/node/node-a");
        page.awaitText(".members .grid-space .grid-row", "default/search");

        page.click(".members [role=columnheader]:first-child button");

        page.awaitText(".members .grid-space .grid-row", "default/catalog");
        assertThat(page.see("document.querySelector('.members [aria-sort=ascending]').innerText")
                        .asText())
                .contains("VM or pod");
    }

    @Test
    void opensTheRowAtTheCursor() {
        open("#/node/node-a");
        page.awaitText(".members", "default/search");
        page.see("document.querySelector('.members .grid').focus()");
        page.press("End", "ArrowUp", "Enter");

        page.await("location.hash === '#/vm/default/encoder'");
    }

    @Test
    void saysWhereThereIsNoSuchNode() {
        open("#/node/node-z");
        page.awaitText(".notice", "there is none of that name");
        // The browser tells of each address that answers 404.
        page.forgetProblems();
    }

    @Test
    void saysWhatNobodyAnswers() {
        open("#/node/node-a");
        var documents = new SyntheticDocuments(fleet);
        api.documents(address -> {
            var document = documents.apply(address);
            if (address.startsWith("/api/nodes/") && document instanceof ObjectNode node) {
                node.put("membersKnown", false).put("rankingKnown", false);
                node.putArray("members");
                node.putArray("ranking");
            }
            return document;
        });

        page.awaitText(".main-column", "The ledger does not answer: not known.")
                .awaitText(".ranking", "Nobody answers who ranks them.");
    }
}
