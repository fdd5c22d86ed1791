package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.neonvm.core.VmEvent.Reason;
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

    private final EventAggregator remarks = new EventAggregator(100);

    @Test
    void tellsADenialWithTheLedgersNumbers() {
        var said = remarks.heard(decision(Decision.Kind.DENIED, "node n1 has 0m of 8000m left"), at(0));

        assertThat(said).singleElement().satisfies(remark -> {
            assertThat(remark.reason()).isEqualTo(Reason.SCALING_DENIED);
            assertThat(remark.message()).isEqualTo("has 1/4Gi and asked for 2/8Gi: node n1 has 0m of 8000m left");
            assertThat(remark.isNew()).isTrue();
            assertThat(remark.name()).startsWith("db.");
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Decision.Kind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DENIED", "CONFIG_REFUSED"})
    void isSilentAboutWhatGoesItsWay(Decision.Kind kind) {
        assertThat(remarks.heard(decision(kind, "x"), at(0))).isEmpty();
    }

    @Test
    void countsRepeatsAndTellsThemOnceAMinuteOfTheSameEvent() {
        var first = denied(0).getFirst();
        assertThat(denied(10)).isEmpty();
        assertThat(denied(20)).isEmpty();
        assertThat(remarks.due(at(59))).isEmpty();

        assertThat(remarks.due(at(60))).singleElement().satisfies(remark -> {
            assertThat(remark.count()).isEqualTo(3);
            assertThat(remark.name()).isEqualTo(first.name());
            assertThat(remark.first()).isEqualTo(at(0));
            assertThat(remark.last()).isEqualTo(at(20));
        });
        assertThat(remarks.due(at(200))).isEmpty();
        assertThat(denied(130))
                .singleElement()
                .satisfies(remark -> assertThat(remark.count()).isEqualTo(4));
    }

    @Test
    void tellsWhatTheLedgerDeniedAnAgentThatIsNotOneOfOursAtTheSamePace() {
        var first = permitted("node n1 has 0m of 8000m left", 0);
        assertThat(first).singleElement().satisfies(remark -> {
            assertThat(remark.reason()).isEqualTo(Reason.SCALING_DENIED);
            assertThat(remark.message()).isEqualTo("has 1/4Gi and asked for 2/8Gi: node n1 has 0m of 8000m left");
        });
        assertThat(permitted("node n1 has 0m of 8000m left", 30)).isEmpty();
        assertThat(permitted("node n1 has 0m of 8000m left", 60))
                .singleElement()
                .satisfies(remark -> {
                    assertThat(remark.count()).isEqualTo(3);
                    assertThat(remark.name()).isEqualTo(first.getFirst().name());
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
                reason);
        return remarks.permitted(status, at(second));
    }

    @Test
    void tellsAnAnnotationThatIsNoGoodInTheWordsOfItsComplaint() {
        assertThat(refused("bounds: no JSON", 0)).singleElement().satisfies(remark -> {
            assertThat(remark.reason()).isEqualTo(Reason.CONFIG_REFUSED);
            assertThat(remark.reason().word()).isEqualTo("ConfigRefused");
            assertThat(remark.reason().warning()).isTrue();
            assertThat(remark.message()).isEqualTo("bounds: no JSON");
            assertThat(remark.isNew()).isTrue();
        });
    }

    @Test
    void countsAnAnnotationThatStaysNoGoodOnceAMinuteAndNoMoreOnceItIsMended() {
        refused("bounds: no JSON", 0);
        assertThat(refused("bounds: no JSON", 15)).isEmpty();
        assertThat(refused("bounds: no JSON", 30)).isEmpty();

        assertThat(remarks.due(at(60)))
                .singleElement()
                .satisfies(remark -> assertThat(remark.count()).isEqualTo(3));
        assertThat(remarks.due(at(1_000))).isEmpty();
        assertThat(refused("bounds: no JSON", 1_001))
                .singleElement()
                .satisfies(remark -> assertThat(remark.isNew()).isTrue());
    }

    @Test
    void tellsOtherWordsAboutAnAnnotationAtOnceButOnlyOnceASecond() {
        var first = refused("bounds: no JSON", 0).getFirst();

        assertThat(refused("bounds: min must not be above max", 2))
                .singleElement()
                .satisfies(remark -> {
                    assertThat(remark.name()).isEqualTo(first.name());
                    assertThat(remark.count()).isEqualTo(2);
                    assertThat(remark.message()).isEqualTo("bounds: min must not be above max");
                });
        assertThat(remarks.heard(decision(Decision.Kind.CONFIG_REFUSED, "config: no JSON"), at(2).plusMillis(300)))
                .isEmpty();
        assertThat(remarks.due(at(2).plusMillis(900))).isEmpty();
        assertThat(remarks.due(at(3)))
                .singleElement()
                .satisfies(remark -> assertThat(remark.message()).isEqualTo("config: no JSON"));
    }

    @Test
    void cutsAComplaintThatIsTooLongForAnEvent() {
        assertThat(refused("x".repeat(5_000), 0))
                .singleElement()
                .satisfies(remark -> assertThat(remark.message()).hasSize(1_000));
    }

    private List<VmEvent> refused(String reason, int second) {
        return remarks.heard(decision(Decision.Kind.CONFIG_REFUSED, reason), at(second));
    }

    @Test
    void beginsANewEventOnceTheLastIsForgotten() {
        var first = denied(0).getFirst();
        denied(10);

        assertThat(denied(310))
                .singleElement()
                .satisfies(remark -> assertThat(remark.isNew()).isFalse());
        assertThat(denied(611)).singleElement().satisfies(remark -> {
            assertThat(remark.isNew()).isTrue();
            assertThat(remark.name()).isNotEqualTo(first.name());
        });
    }

    @Test
    void namesAnEventAlikeInEveryProcessThatHeardTheSame() {
        var elsewhere = new EventAggregator(5)
                .heard(decision(Decision.Kind.DENIED, "x"), at(1))
                .getFirst();

        assertThat(denied(0).getFirst().name()).isEqualTo(elsewhere.name());
    }

    @Test
    void keepsVmsAndReasonsApart() {
        denied(0);

        assertThat(remarks.heard(moving(PressureDecision.Kind.MOVING), at(1))).hasSize(1);
        var other = new Decision(
                Decision.Kind.DENIED, vm("other"), "n1", SIZE, MORE, Optional.empty(), GoalBasis.NONE, "x");
        assertThat(remarks.heard(other, at(2))).hasSize(1);
    }

    @Test
    void tellsAVetoOnlyOnceItHasLastedThroughAllThatWasAskedMeanwhile() {
        assertThat(status(Waiting.VETO, 0, 0)).isEmpty();
        assertThat(status(Waiting.MONITOR, 0, 20)).isEmpty();
        assertThat(status(Waiting.VETO, 0, 40)).isEmpty();

        assertThat(status(Waiting.VETO, 0, 60)).singleElement().satisfies(remark -> {
            assertThat(remark.reason()).isEqualTo(Reason.DOWNSCALE_VETOED);
            assertThat(remark.message())
                    .isEqualTo("the monitor refused to shrink, for 1m now, and has 1/4Gi: 745 MiB in use");
        });
        assertThat(status(Waiting.VETO, 0, 90)).isEmpty();
        assertThat(status(Waiting.VETO, 0, 120))
                .singleElement()
                .satisfies(remark -> assertThat(remark.count()).isEqualTo(2));
    }

    @Test
    void forgetsAVetoThatEndedInBetween() {
        status(Waiting.VETO, 0, 0);
        status(Waiting.NOTHING, 0, 50);

        assertThat(status(Waiting.VETO, 0, 70)).isEmpty();
        assertThat(status(Waiting.VETO, 0, 129)).isEmpty();
        assertThat(status(Waiting.VETO, 0, 130)).hasSize(1);
    }

    @Test
    void believesAStatusThatSaysHowLongTheVetoHasLasted() {
        assertThat(status(Waiting.VETO, 65, 0)).hasSize(1);
    }

    @Test
    void tellsASizeThatTheDriverHasNotAppliedForLong() {
        assertThat(status(Waiting.DRIVER, 59, 0)).isEmpty();
        assertThat(status(Waiting.DRIVER, 60, 1)).singleElement().satisfies(remark -> {
            assertThat(remark.reason()).isEqualTo(Reason.SIZE_NOT_APPLIED);
            assertThat(remark.reason().warning()).isTrue();
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
    void tellsOfMigrationsAndWhy(PressureDecision.Kind kind, String word, boolean warning, String begin) {
        assertThat(remarks.heard(moving(kind), at(0))).singleElement().satisfies(remark -> {
            assertThat(remark.reason().word()).isEqualTo(word);
            assertThat(remark.reason().warning()).isEqualTo(warning);
            assertThat(remark.message()).isEqualTo(begin + " n1 to n2: 200m above the watermark");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "312,0,cpu 312m above the watermark of 9.0",
        "0,1536,memory 1.5Gi above the watermark of 36.0Gi",
        "1250,100,'cpu 1250m above the watermark of 9.0, memory 100Mi above the watermark of 36.0Gi'"
    })
    void saysByHowMuchTheNodeStandsAboveItsWatermark(long milliCpu, long mebi, String words) {
        var watermark = new Resources(9000, 36L << 30);
        var logical = new Resources(milliCpu, mebi << 20);
        var numbers = new PressureNumbers(
                watermark.plus(logical), watermark, logical, Resources.NONE, Resources.NONE, Resources.NONE);
        var moving = new PressureDecision(
                PressureDecision.Kind.MOVING, "n1", Optional.of(DB), "n2", Optional.of(numbers), "the only one");

        assertThat(remarks.heard(moving, at(0)).getFirst().message())
                .isEqualTo("moving from n1 to n2: " + words + "; the only one");
    }

    @Test
    void saysNothingOfNodesThatNobodyLeaves() {
        var nobody = new PressureDecision(
                PressureDecision.Kind.NOBODY_MOVES, "n1", Optional.empty(), "", Optional.empty(), "no room");

        assertThat(remarks.heard(nobody, at(0))).isEmpty();
    }

    @Test
    void forgetsVmsThatAreGoneAndCutsWhatIsTooLong() {
        assertThat(remarks.heard(decision(Decision.Kind.DENIED, "x".repeat(5_000)), at(0))
                        .getFirst()
                        .message())
                .hasSize(1_000);
        denied(1);
        remarks.forget("uid-db");

        assertThat(remarks.due(at(100))).isEmpty();
        assertThat(denied(101).getFirst().isNew()).isTrue();
    }

    @Test
    void remembersNoMoreThanItsBound() {
        var few = new EventAggregator(2);
        for (var name : List.of("a", "b", "c", "a")) {
            var denied = new Decision(
                    Decision.Kind.DENIED, vm(name), "n1", SIZE, MORE, Optional.empty(), GoalBasis.NONE, "x");
            assertThat(few.heard(denied, at(0)))
                    .singleElement()
                    .satisfies(remark -> assertThat(remark.isNew()).isTrue());
        }
    }

    /** No flood of denials makes more than one write a minute of an event, and no denial is left out of its count. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261121})
    void neverFloodsAndNeverMiscounts(long seed) {
        var random = new Random(seed);
        var fresh = new EventAggregator(100);
        var told = new HashMap<String, VmEvent>();
        var toldAt = new HashMap<String, Instant>();
        int denials = 0;
        int counted = 0;
        for (int second = 0; second < 20_000; second += 1 + random.nextInt(random.nextInt(40) == 0 ? 700 : 20)) {
            var said = new ArrayList<>(fresh.heard(decision(Decision.Kind.DENIED, "x"), at(second)));
            denials++;
            said.addAll(fresh.due(at(second)));
            for (var remark : said) {
                var before = toldAt.put(remark.name(), at(second));
                assertThat(before == null || !at(second).isBefore(before.plusSeconds(60)))
                        .as("seed %d second %d", seed, second)
                        .isTrue();
                told.put(remark.name(), remark);
            }
        }
        for (var remark : fresh.due(at(1_000_000))) {
            told.put(remark.name(), remark);
        }
        for (var remark : told.values()) {
            counted += remark.count();
        }
        assertThat(counted).as("seed %d", seed).isEqualTo(denials);
    }

    @Test
    void writesAnEventThatPeopleFindAtTheirVm() {
        var remark = denied(0).getFirst();

        var event = Samples.json(EventObjects.create(remark));

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

        assertThat(Samples.json(EventObjects.raise(remarks.due(at(60)).getFirst())))
                .isEqualTo(Samples.json("""
                    {"count":2,"message":"has 1/4Gi and asked for 2/8Gi: x","lastTimestamp":"2026-01-02T03:04:15Z"}\
                    """));
    }

    private List<VmEvent> denied(long second) {
        return remarks.heard(decision(Decision.Kind.DENIED, "x"), at(second));
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
                "745 MiB in use");
        return remarks.heard(status, at(second));
    }

    private static Decision decision(Decision.Kind kind, String reason) {
        return new Decision(kind, DB, "n1", SIZE, MORE, Optional.empty(), GoalBasis.NONE, reason);
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
