package io.sluice.why;

import static io.sluice.why.Answer.with;
import static io.sluice.why.Vms.busy;
import static io.sluice.why.Vms.movable;
import static io.sluice.why.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node under pressure, while the only other node is as full. */
class NowhereToGoTest {
    private static WhyStage stage;

    @BeforeAll
    static void start() {
        stage = new WhyStage(
                Map.of(),
                node("node-full", 9, movable("leaver", 2), busy("stayer", 3)),
                node("node-other", 9, busy("filler", 3), busy("stopper", 3)));
        stage.start();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void aNodeUnderPressureReportsByHowMuchTheBestOtherNodeFallsShort() {
        var why = stage.node(
                "node-full",
                "under pressure for [^:]+: 2250m of 2250m CPU reserved, 225m above its watermark of 2025m.*"
                        + "but no VM moves: the node's excess is cpu \\S+, memory \\S+, and none of 2 can leave:"
                        + " default/leaver: .*node-other, the best, would then have \\S+ reserved, \\S+ above its"
                        + " watermark of 2025m/8294.4Mi.*",
                with("NONE_MOVES", "UNDER_PRESSURE"));

        assertThat(why.reasonsOf("NONE_MOVES")).anyMatch(text -> text.contains("node-other, the best"));
        assertThat(why.reasonsOf("UNDER_PRESSURE")).isNotEmpty();
    }

    @Test
    void theVmThatWouldLeaveReportsWhatWouldLetTheOtherNodeTakeIt() {
        var why = stage.vm(
                "leaver",
                ".*node-other, the best, would then have .*",
                answer -> answer.target().startsWith("it could leave its node with "));

        assertThat(why.target()).contains("m CPU and ").contains(" memory more on node-other");
    }

    @Test
    void theVmThatWouldLeaveReportsItToo() {
        var why = stage.vm(
                "leaver",
                "goal \\S+, has \\S+: short by .*; node-full is under pressure, and it would not leave:"
                        + " .*node-other, the best, would then have .*",
                with("ROOM"));

        assertThat(why.reasonsOf("ROOM")).isNotEmpty();
    }
}
