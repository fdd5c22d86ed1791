package io.sluice.why;

import static io.sluice.why.Answer.with;
import static io.sluice.why.Vms.busy;
import static io.sluice.why.Vms.caching;
import static io.sluice.why.Vms.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Annotations on a VM take effect at once; an invalid one is reported, and the last valid one stays in force. Each test
 * has a VM of its own, on a node with room for all.
 */
@Execution(ExecutionMode.CONCURRENT)
class AnnotationsTest {
    private static final String BOUNDS = "autoscaling.neon.tech/bounds";
    private static final String CONFIG = "autoscaling.neon.tech/config";
    private static final String ENABLED = "autoscaling.neon.tech/enabled";

    /** Three vCPUs of load need 13 units by default, and half of them with this. */
    private static final String HALF = "{\"loadAverageFractionTarget\":1.8}";

    private static WhyStage stage;

    @BeforeAll
    static void start() {
        stage = new WhyStage(
                Map.of(),
                node(
                        "node-large",
                        100,
                        busy("bounded", 3),
                        busy("tuned", 3),
                        busy("crossed", 3),
                        busy("switched", 3),
                        caching("caching")));
        stage.start();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void boundsTakeEffectAndBadOnesLeaveTheLastGood() {
        awaitSize("bounded", 13);
        stage.annotate("bounded", BOUNDS, bounds(8));
        awaitSize("bounded", 8);

        stage.annotate("bounded", BOUNDS, "{\"min\":{\"cpu\":3}}");

        var event = stage.event("bounded", "ConfigRefused", words -> words.contains(BOUNDS));
        assertThat(event).contains("min.mem", "the last valid one stays in force");
        var page = stage.page("bounded", vm -> !complaints(vm).isEmpty());
        assertThat(complaints(page).getString(0)).isEqualTo(event);
        assertThat(page.getJsonObject("bounds").getJsonArray("max").getLong(1)).isEqualTo(8L << 30);
        var why = stage.vm("bounded", ".*", with("CONFIG_REFUSED"));
        assertThat(why.reasonsOf("CONFIG_REFUSED")).contains(event);
        assertThat(stage.status("bounded", status -> status.waiting() == Waiting.MAX)
                        .size())
                .isEqualTo(units(8));

        stage.annotate("bounded", BOUNDS, bounds(12));
        awaitSize("bounded", 12);
        stage.page("bounded", vm -> complaints(vm).isEmpty());
    }

    @Test
    void overridesTakeEffectAndBadOnesLeaveTheLastGood() {
        awaitSize("tuned", 13);
        stage.annotate("tuned", CONFIG, HALF);
        awaitSize("tuned", 7);

        stage.annotate("tuned", CONFIG, "{\"loadAverageFractionTarget\":\"lots\"}");

        stage.event("tuned", "ConfigRefused", words -> words.contains("loadAverageFractionTarget must be"));
        stage.page("tuned", vm -> complaints(vm).encode().contains("loadAverageFractionTarget must be"));
        assertThat(stage.status("tuned", status -> status.waiting() == Waiting.NOTHING)
                        .size())
                .isEqualTo(units(7));

        stage.annotate("tuned", CONFIG, "{}");
        awaitSize("tuned", 13);
    }

    @Test
    void overridesThatDoNotFitTheDefaultsLeaveTheLastGood() {
        awaitSize("crossed", 13);
        stage.annotate("crossed", CONFIG, HALF);
        awaitSize("crossed", 7);

        stage.annotate("crossed", CONFIG, "{\"lfcWindowSizeMinutes\":50}");

        stage.event("crossed", "ConfigRefused", words -> words.contains("lfcWindowSizeMinutes=50"));
        assertThat(stage.status("crossed", status -> status.waiting() == Waiting.NOTHING)
                        .size())
                .isEqualTo(units(7));
    }

    @Test
    void theLabelTurnsScalingOffAndOnAgain() {
        awaitSize("switched", 13);

        stage.label("switched", ENABLED, "off");
        stage.page("switched", vm -> !vm.getBoolean("autoscaled"));
        stage.status("switched", status -> status.waiting() == Waiting.STOPPED);
        stage.annotate("switched", BOUNDS, bounds(8));

        stage.label("switched", ENABLED, "true");
        awaitSize("switched", 8);
    }

    @Test
    void aVmGrowsAndShrinksByTheWorkingSetOfItsFileCache() {
        stage.status(
                "caching",
                status -> status.size().milliCpu() >= units(10).milliCpu()
                        && status.basis().lfcCu().orElse(0.0) > requested(status));

        stage.status("caching", status -> status.size().milliCpu() <= units(6).milliCpu());

        for (var way : List.of("SCALED_UP", "SCALED_DOWN")) {
            var why = stage.vm(
                    "caching",
                    ".*",
                    answer -> answer.reasonsOf(way).stream().anyMatch(text -> text.contains("working set needs")));
            assertThat(why.reasonsOf(way)).isNotEmpty();
        }
    }

    private static double requested(RunnerStatus status) {
        return Math.max(
                status.basis().cpuCu().orElse(0.0), status.basis().memoryCu().orElse(0.0));
    }

    private static void awaitSize(String vm, int units) {
        stage.status(vm, status -> status.size().equals(units(units)));
    }

    private static JsonArray complaints(JsonObject vm) {
        return vm.getJsonArray("complaints");
    }

    private static String bounds(int units) {
        return "{\"min\":{\"cpu\":\"250m\",\"mem\":\"1Gi\"},\"max\":{\"cpu\":\"%dm\",\"mem\":\"%dGi\"}}"
                .formatted(units * 250, units);
    }

    private static Resources units(int units) {
        return new Resources(250, 1L << 30).times(units);
    }
}
