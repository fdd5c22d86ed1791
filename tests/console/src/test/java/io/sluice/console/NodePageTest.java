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

    @Test
    void showsItsGpusWithTheirShares() {
        open("#/node/node-a");
        var documents = new SyntheticDocuments(fleet);
        api.documents(address -> {
            var document = documents.apply(address);
            if (address.equals("/api/nodes/node-a") && document instanceof ObjectNode node) {
                var devices = node.putObject("gpus").put("mode", "shared").putArray("devices");
                var shares = device(devices.addObject(), 0, true, 30, 75).putArray("shares");
                share(shares.addObject(), "search", false, 10, 25);
                share(shares.addObject(), "encoder", true, 20, 50);
                device(devices.addObject(), 1, false, 0, 0).putArray("shares");
            }
            return document;
        });

        page.awaitText(".gpus", "default/search");
        assertThat(page.text(".gpus"))
                .contains("The ledger allocates shares of them.", "30 GiB of 40 GiB", "75 of 100 %")
                .containsPattern("default/encoder\\s+20 GiB, 50 %\\s+held")
                .containsPattern("1 A100\\s+unhealthy");
        page.screenshot("node-gpus");
    }

    private static ObjectNode device(ObjectNode device, int minor, boolean healthy, int memoryGib, int core) {
        return device.put("uuid", "GPU-" + minor)
                .put("minor", minor)
                .put("model", "A100")
                .put("healthy", healthy)
                .put("memory", 40L << 30)
                .put("memoryReserved", (long) memoryGib << 30)
                .put("core", 100)
                .put("coreReserved", core);
    }

    private static void share(ObjectNode share, String name, boolean held, int memoryGib, int core) {
        share.put("pod", "uid-of-" + name)
                .put("namespace", "default")
                .put("name", name + "-0")
                .put("vm", name)
                .put("held", held)
                .put("memory", (long) memoryGib << 30)
                .put("core", core);
    }
}
