package io.sluice.mysteries;

import static io.sluice.mysteries.Answer.with;
import static io.sluice.mysteries.Vms.busy;
import static io.sluice.mysteries.Vms.movable;
import static io.sluice.mysteries.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A VM leaves a full node for one that has room for the size it leaves with, and grows there, so that this node is
 * under pressure next: the VM has just been moved, and stays.
 */
class CoolDownTest {
    private static final MysteryStage HOUSE = new MysteryStage(
            Map.of(),
            node("node-old", 9, movable("wanderer", 1.8), busy("stayer", 3)),
            node("node-next", 24, busy("resident", 6)));

    @BeforeAll
    static void start() {
        HOUSE.start();
    }

    @AfterAll
    static void stop() {
        HOUSE.close();
    }

    @Test
    void aNodeUnderPressureSaysWhoRestsAfterItsMigration() {
        var why = HOUSE.node(
                "node-next",
                "under pressure for \\d+ s: .*but nobody moves: too much by .*, and none of 2 can leave:"
                        + " default/wanderer: in cool-down for \\d+ s more, after its last migration;"
                        + " 1 more: is not .*",
                with("NOBODY_MOVES", "MOVED"));

        assertThat(why.reasonsOf("NOBODY_MOVES")).anyMatch(text -> text.contains("in cool-down"));
        assertThat(why.reasonsOf("MOVED")).isNotEmpty();
    }

    @Test
    void theVmThatRestsSaysSoToo() {
        var why = HOUSE.vm(
                "wanderer",
                ".*; it was moved here from node-old \\d+ .* ago; node-next is under pressure, and it would not leave:"
                        + " .*in cool-down for \\d+ s more, after its last migration.*",
                with("MOVED"));

        assertThat(why.reasonsOf("MOVED")).isNotEmpty();
    }
}
