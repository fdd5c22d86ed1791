package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.neonvm.core.VmEvent.Reason;
import io.sluice.neonvm.core.objects.EventObjects;
import io.sluice.neonvm.core.objects.Samples;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventAggregatorTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final VmId DB = vm("db");
    private static final Resources SIZE = new Resources(1000, 4L << 30);
    private static final Resources MORE = new Resources(2000, 8L << 30);

    private final EventAggregator events = new EventAggregator(100);

    @Test
    void reportsADenialWithTheLedgersNumbers() {
        var reported = events.events(decision(Decision.Kind.DENIED, "node n1 has 0m of 8000m left"), at(0));

        assertThat(reported).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.SCALING_DENIED);
            assertThat(event.message()).isEqualTo("has 1/4Gi and requested 2/8Gi: node n1 has 0m of 8000m left");
            assertThat(event.isNew()).isTrue();
            assertThat(event.name()).startsWith("db.");
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Decision.Kind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DENIED", "CONFIG_REFUSED"})
    void isSilentAboutWhatGoesItsWay(Decision.Kind kind) {
        assertThat(events.events(decision(kind, "x"), at(0))).isEmpty();
    }

    @Test
    void countsRepeatsAndReportsThemOnceAMinuteWithTheSameEvent() {
        var first = denied(0).getFirst();
        assertThat(denied(10)).isEmpty();
        assertThat(denied(20)).isEmpty();
        assertThat(events.due(at(59))).isEmpty();

        assertThat(events.due(at(60))).singleElement().satisfies(event -> {
            assertThat(event.count()).isEqualTo(3);
            assertThat(event.name()).isEqualTo(first.name());
            assertThat(event.first()).isEqualTo(at(0));
            assertThat(event.last()).isEqualTo(at(20));
        });
        assertThat(events.due(at(200))).isEmpty();
        assertThat(denied(130))
                .singleElement()
                .satisfies(event -> assertThat(event.count()).isEqualTo(4));
    }

    @Test
    void reportsWhatTheLedgerDeniedAForeignAgentAtTheSamePace() {
        var first = permitted("node n1 has 0m of 8000m left", 0);
        assertThat(first).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.SCALING_DENIED);
            assertThat(event.message()).isEqualTo("has 1/4Gi and requested 2/8Gi: node n1 has 0m of 8000m left");
        });
        assertThat(permitted("node n1 has 0m of 8000m left", 30)).isEmpty();
        assertThat(permitted("node n1 has 0m of 8000m left", 60))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.count()).isEqualTo(3);
                    assertThat(event.name()).isEqualTo(first.getFirst().name());
                });
        assertThat(permitted("", 90)).as("all was granted").isEmpty();
    }

    private List<VmEvent> permitted(String reason, int second) {
        var status = new RunnerStatus(
                DB,
                "n1",
                "db-0",
                SIZE,
                Optional.of(MORE),
                Optional.of(SIZE),
                Waiting.ROOM,
                Duration.ZERO,
                GoalBasis.NONE,
                reason,
                Optional.empty());
        return events.permitted(status, at(second));
    }

    @Test
    void reportsAnAnnotationThatIsNoGoodInTheWordsOfItsComplaint() {
        assertThat(refused("bounds: no JSON", 0)).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.CONFIG_REFUSED);
            assertThat(event.reason().word()).isEqualTo("ConfigRefused");
            assertThat(event.reason().warning()).isTrue();
            assertThat(event.message()).isEqualTo("bounds: no JSON");
            assertThat(event.isNew()).isTrue();
        });
    }

    @Test
    void countsAnAnnotationThatStaysNoGoodOnceAMinuteAndNoMoreOnceItIsMended() {
        refused("bounds: no JSON", 0);
        assertThat(refused("bounds: no JSON", 15)).isEmpty();
        assertThat(refused("bounds: no JSON", 30)).isEmpty();

        assertThat(events.due(at(60)))
                .singleElement()
                .satisfies(event -> assertThat(event.count()).isEqualTo(3));
        assertThat(events.due(at(1_000))).isEmpty();
        assertThat(refused("bounds: no JSON", 1_001))
                .singleElement()
                .satisfies(event -> assertThat(event.isNew()).isTrue());
    }

    @Test
    void reportsOtherWordsAboutAnAnnotationAtOnceButOnlyOnceASecond() {
        var first = refused("bounds: no JSON", 0).getFirst();

        assertThat(refused("bounds: min must not be above max", 2))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.name()).isEqualTo(first.name());
                    assertThat(event.count()).isEqualTo(2);
                    assertThat(event.message()).isEqualTo("bounds: min must not be above max");
                });
        assertThat(events.events(decision(Decision.Kind.CONFIG_REFUSED, "config: no JSON"), at(2).plusMillis(300)))
                .isEmpty();
        assertThat(events.due(at(2).plusMillis(900))).isEmpty();
        assertThat(events.due(at(3)))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).isEqualTo("config: no JSON"));
    }

    @Test
    void cutsAComplaintThatIsTooLongForAnEvent() {
        assertThat(refused("x".repeat(5_000), 0))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).hasSize(1_000));
    }

    private List<VmEvent> refused(String reason, int second) {
        return events.events(decision(Decision.Kind.CONFIG_REFUSED, reason), at(second));
    }

    @Test
    void beginsANewEventOnceTheLastIsForgotten() {
        var first = denied(0).getFirst();
        denied(10);

        assertThat(denied(310))
                .singleElement()
                .satisfies(event -> assertThat(event.isNew()).isFalse());
        assertThat(denied(611)).singleElement().satisfies(event -> {
            assertThat(event.isNew()).isTrue();
            assertThat(event.name()).isNotEqualTo(first.name());
        });
    }

    @Test
    void namesAnEventAlikeInEveryProcessThatReceivedTheSame() {
        var elsewhere = new EventAggregator(5)
                .events(decision(Decision.Kind.DENIED, "x"), at(1))
                .getFirst();

        assertThat(denied(0).getFirst().name()).isEqualTo(elsewhere.name());
    }

    @Test
    void keepsVmsAndReasonsApart() {
        denied(0);

        assertThat(events.events(moving(PressureDecision.Kind.MOVING), at(1))).hasSize(1);
        var other = new Decision(
                Decision.Kind.DENIED, vm("other"), "n1", SIZE, MORE, Optional.empty(), GoalBasis.NONE, "x", 1);
        assertThat(events.events(other, at(2))).hasSize(1);
    }

    @Test
    void reportsADeniedDownscaleOnlyOnceItHasLastedThroughAllRequestsMeanwhile() {
        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 0)).isEmpty();
        assertThat(status(Waiting.MONITOR, 0, 20)).isEmpty();
        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 40)).isEmpty();

        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 60)).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.DOWNSCALE_DENIED);
            assertThat(event.message())
                    .isEqualTo("its monitor has denied a downscale for 1m, and has 1/4Gi: 745 MiB in use");
        });
        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 90)).isEmpty();
        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 120))
                .singleElement()
                .satisfies(event -> assertThat(event.count()).isEqualTo(2));
    }

    @Test
    void forgetsADeniedDownscaleThatEndedInBetween() {
        status(Waiting.DENIED_DOWNSCALE, 0, 0);
        status(Waiting.NOTHING, 0, 50);

        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 70)).isEmpty();
        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 129)).isEmpty();
        assertThat(status(Waiting.DENIED_DOWNSCALE, 0, 130)).hasSize(1);
    }

    @Test
    void trustsAStatusThatReportsHowLongTheDeniedDownscaleHasLasted() {
        assertThat(status(Waiting.DENIED_DOWNSCALE, 65, 0)).hasSize(1);
    }

    @Test
    void reportsASizeThatTheDriverHasNotAppliedForLong() {
        assertThat(status(Waiting.DRIVER, 59, 0)).isEmpty();
        assertThat(status(Waiting.DRIVER, 60, 1)).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.SIZE_NOT_APPLIED);
            assertThat(event.reason().warning()).isTrue();
        });
        assertThat(status(Waiting.PATCH, 600, 100)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "MOVING,Migrating,false,moving from",
        "ADOPTED,Migrating,false,moving from",
        "MOVED,MigrationEnded,false,from",
        "NOT_MOVED,MigrationFailed,true,from"
    })
    void reportsMigrationsAndWhy(PressureDecision.Kind kind, String word, boolean warning, String begin) {
        assertThat(events.events(moving(kind), at(0))).singleElement().satisfies(event -> {
            assertThat(event.reason().word()).isEqualTo(word);
            assertThat(event.reason().warning()).isEqualTo(warning);
            assertThat(event.message()).isEqualTo(begin + " n1 to n2: 200m above the watermark");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "312,0,cpu 312m above the watermark of 9.0",
        "0,1536,memory 1.5Gi above the watermark of 36.0Gi",
        "1250,100,'cpu 1250m above the watermark of 9.0, memory 100Mi above the watermark of 36.0Gi'"
    })
    void reportsByHowMuchTheNodeIsAboveItsWatermark(long milliCpu, long mebi, String words) {
        var watermark = new Resources(9000, 36L << 30);
        var logical = new Resources(milliCpu, mebi << 20);
        var numbers = new PressureNumbers(
                watermark.plus(logical), watermark, logical, Resources.NONE, Resources.NONE, Resources.NONE);
        var moving = new PressureDecision(
                PressureDecision.Kind.MOVING, "n1", Optional.of(DB), "n2", Optional.of(numbers), "the only one");

        assertThat(events.events(moving, at(0)).getFirst().message())
                .isEqualTo("moving from n1 to n2: " + words + "; the only one");
    }

    @Test
    void reportsNothingOfNodesThatNoVmLeaves() {
        var decision = new PressureDecision(
                PressureDecision.Kind.NONE_MOVES, "n1", Optional.empty(), "", Optional.empty(), "no room");

        assertThat(events.events(decision, at(0))).isEmpty();
    }

    @Test
    void forgetsVmsThatAreGoneAndCutsWhatIsTooLong() {
        assertThat(events.events(decision(Decision.Kind.DENIED, "x".repeat(5_000)), at(0))
                        .getFirst()
                        .message())
                .hasSize(1_000);
        denied(1);
        events.forget("uid-db");

        assertThat(events.due(at(100))).isEmpty();
        assertThat(denied(101).getFirst().isNew()).isTrue();
    }

    @Test
    void remembersNoMoreThanItsBound() {
        var few = new EventAggregator(2);
        for (var name : List.of("a", "b", "c", "a")) {
            var denied = new Decision(
                    Decision.Kind.DENIED, vm(name), "n1", SIZE, MORE, Optional.empty(), GoalBasis.NONE, "x", 1);
            assertThat(few.events(denied, at(0)))
                    .singleElement()
                    .satisfies(event -> assertThat(event.isNew()).isTrue());
        }
    }

    /** No flood of denials causes more than one write a minute of an Event, and every denial is counted. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void neverFloodsAndNeverMiscounts(long seed) {
        var random = new Random(seed);
        var fresh = new EventAggregator(100);
        var reported = new HashMap<String, VmEvent>();
        var reportedAt = new HashMap<String, Instant>();
        int denials = 0;
        int counted = 0;
        for (int second = 0; second < 20_000; second += 1 + random.nextInt(random.nextInt(40) == 0 ? 700 : 20)) {
            var sent = new ArrayList<>(fresh.events(decision(Decision.Kind.DENIED, "x"), at(second)));
            denials++;
            sent.addAll(fresh.due(at(second)));
            for (var event : sent) {
                var before = reportedAt.put(event.name(), at(second));
                assertThat(before == null || !at(second).isBefore(before.plusSeconds(60)))
                        .as("seed %d second %d", seed, second)
                        .isTrue();
                reported.put(event.name(), event);
            }
        }
        for (var event : fresh.due(at(1_000_000))) {
            reported.put(event.name(), event);
        }
        for (var event : reported.values()) {
            counted += event.count();
        }
        assertThat(counted).as("seed %d", seed).isEqualTo(denials);
    }

    @Test
    void writesAnEventThatUsersFindAtTheirVm() {
        var vmEvent = denied(0).getFirst();

        var event = Samples.json(EventObjects.create(vmEvent));

        assertThat(event.at("/involvedObject")).isEqualTo(Samples.json("""
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","namespace":"ns","name":"db","uid":"uid-db"}\
            """));
        assertThat(event.at("/metadata/namespace").asText()).isEqualTo("ns");
        assertThat(event.at("/reason").asText()).isEqualTo("ScalingDenied");
        assertThat(event.at("/type").asText()).isEqualTo("Warning");
        assertThat(event.at("/count").asInt()).isEqualTo(1);
        assertThat(event.at("/firstTimestamp").asText()).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(event.at("/reportingComponent").asText()).isEqualTo("sluice");
        assertThat(event.at("/source/component").asText()).isEqualTo("sluice");
    }

    @Test
    void raisesTheCountOfAnEventAndNothingElse() {
        denied(0);
        denied(10);

        assertThat(Samples.json(EventObjects.raise(events.due(at(60)).getFirst())))
                .isEqualTo(Samples.json("""
                    {"count":2,"message":"has 1/4Gi and requested 2/8Gi: x","lastTimestamp":"2026-01-02T03:04:15Z"}\
                    """));
    }

    private List<VmEvent> denied(long second) {
        return events.events(decision(Decision.Kind.DENIED, "x"), at(second));
    }

    private List<VmEvent> status(Waiting waiting, long sinceSeconds, long second) {
        var status = new RunnerStatus(
                DB,
                "n1",
                "pod",
                SIZE,
                Optional.of(MORE),
                Optional.of(SIZE),
                waiting,
                Duration.ofSeconds(sinceSeconds),
                GoalBasis.NONE,
                "745 MiB in use",
                Optional.empty());
        return events.events(status, at(second));
    }

    private static Decision decision(Decision.Kind kind, String reason) {
        return new Decision(kind, DB, "n1", SIZE, MORE, Optional.empty(), GoalBasis.NONE, reason, 1);
    }

    private static PressureDecision moving(PressureDecision.Kind kind) {
        return new PressureDecision(kind, "n1", Optional.of(DB), "n2", Optional.empty(), "200m above the watermark");
    }

    private static Instant at(long second) {
        return NOW.plusSeconds(second);
    }

    private static VmId vm(String name) {
        return new VmId("neonvm", "ns", name, "uid-" + name);
    }
}
