package io.sluice.why;

import static io.sluice.why.Answer.TIME;
import static io.sluice.why.Answer.with;
import static io.sluice.why.Vms.busy;
import static io.sluice.why.Vms.movable;
import static io.sluice.why.Vms.node;
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
    private static WhyStage stage;

    @BeforeAll
    static void start() {
        stage = new WhyStage(
                Map.of("sluice.pressure.cooldown", "10m"),
                node("node-old", 9, movable("wanderer", 1.8), busy("stayer", 3)),
                node("node-next", 24, busy("resident", 6)));
        stage.start();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void aNodeUnderPressureNamesTheVmThatRestsAfterItsMigration() {
        var why = stage.node(
                "node-next",
                "under pressure for " + TIME
                        + ": .*but no VM moves: the node's excess is .*, and none of 2 can leave:"
                        + " default/wanderer: in cooldown for \\d+ s more, after its last migration;"
                        + " 1 more: is not .*",
                with("NONE_MOVES", "MOVED"));

        assertThat(why.reasonsOf("NONE_MOVES")).anyMatch(text -> text.contains("in cooldown"));
        assertThat(why.reasonsOf("MOVED")).isNotEmpty();
    }

    @Test
    void theVmThatRestsReportsItToo() {
        var why = stage.vm(
                "wanderer",
                ".*; it was moved here from node-old \\d+ .* ago; node-next is under pressure, and it would not leave:"
                        + " .*in cooldown for \\d+ s more, after its last migration.*",
                with("MOVED"));

        assertThat(why.reasonsOf("MOVED")).isNotEmpty();
    }
}
