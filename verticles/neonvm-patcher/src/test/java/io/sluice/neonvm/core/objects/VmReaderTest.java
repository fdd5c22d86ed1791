package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VmReaderTest {
    private static final long GIB = 1L << 30;
    private static final String BOUNDS = "autoscaling.neon.tech/bounds";

    private final VmReader reader = new VmReader(ClusterConfig.DEFAULTS);

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        differs from its spec              | 250m | 3Gi | 7 | 7 | false
        is, and shows the last goal        | 500m | 2Gi | 7 | 7 | true
        has its CPU plugged whole          | 1    | 2Gi | 7 | 7 | true
        has more memory                    | 500m | 3Gi | 7 | 7 | false
        shows an earlier goal              | 500m | 2Gi | 6 | 7 | false
        """)
    void isSteadyOnceTheDriverHasNothingLeftToDo(
            String name, String cpus, String memory, long shown, long reported, boolean settled) {
        var vm = Samples.vm();
        vm.withObject("/status").put("cpus", cpus).put("memorySize", memory);
        vm.withObject("/status/currentRevision/revision").put("value", shown).put("flags", 1);
        vm.withObject("/spec/targetRevision/revision").put("value", reported).put("flags", 1);

        assertThat(VmReader.isSettled(vm, read(vm).sizes())).isEqualTo(settled);
    }

    @Test
    void readsEverythingThatOthersNeed() {
        var observed = read(Samples.vm());

        assertThat(observed.vm()).isEqualTo(new VmId("neonvm", "ns", "db", "u1"));
        assertThat(observed.version()).isEqualTo(7);
        assertThat(observed.podName()).isEqualTo("db-0");
        assertThat(observed.node()).isEqualTo("n1");
        assertThat(observed.phase()).isEqualTo(VmPhase.RUNNING);
        assertThat(observed.autoscaled()).isTrue();
        assertThat(observed.migratable()).isFalse();
        assertThat(observed.sizes().min()).isEqualTo(new Resources(250, GIB));
        assertThat(observed.sizes().max()).isEqualTo(new Resources(4000, 16 * GIB));
        assertThat(observed.sizes().spec()).isEqualTo(new Resources(500, 2 * GIB));
        assertThat(observed.sizes().status()).contains(new Resources(250, 3 * GIB));
        assertThat(observed.sizes().inUse()).isEqualTo(new Resources(500, 3 * GIB));
        assertThat(observed.sizes().slotBytes()).isEqualTo(GIB);
        assertThat(observed.overcommit()).isEqualTo(Overcommit.OFF);
        assertThat(observed.currentRevision()).isEmpty();
        assertThat(observed.approved()).isEmpty();
        assertThat(observed.fence()).isEmpty();
        assertThat(observed.metrics()).contains(new Endpoint("10.0.0.1", 9100, "/metrics"));
        assertThat(observed.fileCache()).contains(new Endpoint("10.0.0.1", 9499, "/metrics"));
        assertThat(observed.monitor()).contains(new Endpoint("10.0.0.1", 10_301, "/monitor"));
    }

    @Test
    void boundsOfTheAnnotationStandInForThoseOfTheSpec() {
        var observed = read(Samples.annotated(
                BOUNDS, "{\"min\":{\"cpu\":\"500m\",\"mem\":\"2Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}"));

        assertThat(observed.sizes().min()).isEqualTo(new Resources(500, 2 * GIB));
        assertThat(observed.sizes().max()).isEqualTo(new Resources(2000, 8 * GIB));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no json",
                "{}",
                "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"}}",
                "{\"min\":{\"cpu\":0,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}",
                "{\"min\":{\"cpu\":1,\"mem\":\"0\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}",
                "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"1500Mi\"}}",
                "{\"min\":{\"cpu\":3,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}",
                "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":513,\"mem\":\"8Gi\"}}",
                "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":\"lots\",\"mem\":\"8Gi\"}}",
                "{\"min\":{\"cpu\":-1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}"
            })
    void badBoundsLeaveTheLastGoodOnesAndAreReported(String annotation) {
        read(Samples.annotated(BOUNDS, "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}"));

        var later = reader.read(Samples.annotated(BOUNDS, annotation));
        var again = reader.read(Samples.annotated(BOUNDS, annotation));
        var never = new VmReader(ClusterConfig.DEFAULTS).read(Samples.annotated(BOUNDS, annotation));

        assertThat(later.observed().sizes().max()).isEqualTo(new Resources(2000, 8 * GIB));
        assertThat(later.complaints())
                .singleElement()
                .asString()
                .startsWith(BOUNDS + ": ")
                .endsWith("; the last valid one stays in force");
        assertThat(later.observed().traits().complaints()).isEqualTo(later.complaints());
        assertThat(again).isEqualTo(later);
        assertThat(never.observed().sizes().max()).isEqualTo(new Resources(4000, 16 * GIB));
        assertThat(never.complaints())
                .singleElement()
                .asString()
                .endsWith("; no valid one was read since the start, so the default holds");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        autoscaling.neon.tech/bounds | {"min":{"cpu":1,"mem":"1Gi"},"max":{"cpu":64,"mem":"1Ti"}}
        autoscaling.neon.tech/bounds | {"min":{"cpu":8,"mem":"1Gi"},"max":{"cpu":8,"mem":"8Gi"}}
        internal.autoscaling.neon.tech/resources-approved | {"vCPUs":"64","mem":"1Ti"}
        """)
    void nothingCountsBeyondTheSpecsMaximumAndAComplaintReportsIt(String annotation, String value) {
        var reading = reader.read(Samples.annotated(annotation, value));

        var most = new Resources(4000, 16 * GIB);
        assertThat(reading.observed().sizes().max().exceeds(most)).isFalse();
        assertThat(reading.observed()
                        .sizes()
                        .min()
                        .exceeds(reading.observed().sizes().max()))
                .isFalse();
        assertThat(reading.observed().approved().filter(most::equals).isPresent())
                .isEqualTo(annotation.endsWith("approved"));
        assertThat(reading.complaints())
                .singleElement()
                .asString()
                .startsWith(annotation + ": it exceeds the spec's maximum, so ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void labelsForTestsCountOnlyWhereTheConfigEnablesThem(boolean testingLabels) {
        var vm = Samples.vm();
        vm.withObject("/metadata/labels").put("autoscaling.neon.tech/testing-only-always-migrate", "true");
        var defaults = ClusterConfig.DEFAULTS;
        var config = new ClusterConfig(
                defaults.schedulerName(),
                defaults.metricsPort(),
                defaults.metricsPath(),
                defaults.lfcPort(),
                defaults.lfcPath(),
                defaults.monitorPort(),
                defaults.monitorPath(),
                defaults.reclaimAfter(),
                defaults.ignoredNamespaces(),
                testingLabels,
                false,
                false,
                List.of());

        var observed = new VmReader(config).read(vm).observed();

        assertThat(observed.alwaysMigrate()).isEqualTo(testingLabels);
        assertThat(observed.migratable()).isEqualTo(testingLabels);
    }

    @Test
    void aVmWithoutAnyAnnotationGoesOnWithItsDefaultsWhenABadOneComes() {
        read(Samples.vm());

        assertThat(reader.read(Samples.annotated(BOUNDS, "no json")).complaints())
                .singleElement()
                .asString()
                .endsWith("; the default still holds");
    }

    @Test
    void eachBadAnnotationKeepsItsOwnLastGoodValueAndMakesItsOwnComplaint() {
        var good = Samples.vm();
        good.withObject("/metadata/annotations")
                .put(BOUNDS, "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}")
                .put("autoscaling.neon.tech/config", "{\"enableLFCMetrics\":true}")
                .put("autoscaling.sluice.io/metrics", "9200/stats")
                .put("autoscaling.sluice.io/file-cache", "9300/lfc")
                .put("autoscaling.sluice.io/monitor", "9400/monitor")
                .put("internal.autoscaling.neon.tech/resources-approved", "{\"vCPUs\":1,\"mem\":\"4Gi\"}");
        good.withObject("/spec/overcommit").put("cpu", "1.5");
        var before = read(good);
        var bad = good.deepCopy();
        bad.withObject("/metadata").put("resourceVersion", "8");
        bad.withObject("/metadata/annotations")
                .fieldNames()
                .forEachRemaining(key -> bad.withObject("/metadata/annotations").put(key, "rubbish"));
        bad.withObject("/spec/overcommit").put("cpu", "lots");

        var after = reader.read(bad);

        var observed = after.observed();
        assertThat(after.complaints()).hasSize(7).allMatch(words -> words.contains("last valid one stays in force"));
        assertThat(observed.traits().complaints()).hasSize(7);
        assertThat(observed.sizes()).isEqualTo(before.sizes());
        assertThat(observed.overrides()).isEqualTo(before.overrides());
        assertThat(observed.metrics()).contains(new Endpoint("10.0.0.1", 9200, "/stats"));
        assertThat(observed.fileCache()).contains(new Endpoint("10.0.0.1", 9300, "/lfc"));
        assertThat(observed.monitor()).contains(new Endpoint("10.0.0.1", 9400, "/monitor"));
        assertThat(observed.approved()).contains(new Resources(1000, 4 * GIB));
        assertThat(observed.overcommit()).isEqualTo(new Overcommit(1500, 1000));
        assertThat(read(good).traits().complaints()).isEmpty();
    }

    @Test
    void theLastGoodPlaceOutlivesATimeWithoutAnAddress() {
        read(Samples.annotated("autoscaling.sluice.io/metrics", "9200"));
        var nowhere = Samples.annotated("autoscaling.sluice.io/metrics", "x");
        nowhere.withObject("/status").put("podIP", "");

        assertThat(reader.read(nowhere).observed().metrics()).isEmpty();
        assertThat(reader.read(Samples.annotated("autoscaling.sluice.io/metrics", "x"))
                        .observed()
                        .metrics())
                .contains(new Endpoint("10.0.0.1", 9200, "/metrics"));
    }

    @Test
    void anObjectFromBeforeTheLastChangeChangesNothingOfWhatIsGood() {
        var newer = Samples.annotated("autoscaling.sluice.io/metrics", "9300");
        newer.withObject("/metadata").put("resourceVersion", "9");
        read(newer);
        read(Samples.annotated("autoscaling.sluice.io/metrics", "9200"));

        assertThat(reader.read(Samples.annotated("autoscaling.sluice.io/metrics", "x"))
                        .observed()
                        .metrics())
                .contains(new Endpoint("10.0.0.1", 9300, "/metrics"));
    }

    @Test
    void forgetsWhatWasGoodOfAVmThatIsGone() {
        read(Samples.annotated("autoscaling.sluice.io/metrics", "9300"));
        reader.keepOnly(Set.of("another"));

        assertThat(reader.read(Samples.annotated("autoscaling.sluice.io/metrics", "x"))
                        .observed()
                        .metrics())
                .contains(new Endpoint("10.0.0.1", 9100, "/metrics"));
    }

    @Test
    void boundsThatFitTheSlotsNoMoreGiveWayToTheDefault() {
        read(Samples.annotated(BOUNDS, "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"7Gi\"}}"));
        var other = Samples.annotated(BOUNDS, "no json");
        other.withObject("/spec/guest").put("memorySlotSize", "2Gi");

        var reading = reader.read(other);

        assertThat(reading.observed().sizes().max()).isEqualTo(new Resources(4000, 32 * GIB));
        assertThat(reading.complaints()).singleElement().asString().contains("is not valid any more");
    }

    @Test
    void aComplaintHasABoundAndStaysOnOneLine() {
        assertThat(reader.read(Samples.annotated("autoscaling.sluice.io/metrics", "x\n".repeat(5_000)))
                        .complaints())
                .singleElement()
                .satisfies(words -> assertThat(words).hasSizeLessThan(400).doesNotContain("\n"));
    }

    @Test
    void readsWhatUsersNeedBesides() {
        var vm = Samples.annotated(BOUNDS, "{\"min\":{\"cpu\":1,\"mem\":\"1Gi\"},\"max\":{\"cpu\":2,\"mem\":\"8Gi\"}}");
        vm.withObject("/metadata/labels").put("neon/endpoint-id", "ep-1").put("neon/project-id", "pr-1");
        vm.withObject("/status").put("restartCount", 3).put("extraNetIP", "10.100.0.7");

        assertThat(read(vm).traits())
                .isEqualTo(new VmTraits(
                        "ep-1",
                        "pr-1",
                        3,
                        "10.100.0.7",
                        new Resources(250, GIB),
                        new Resources(4000, 16 * GIB),
                        List.of()));
        assertThat(read(Samples.vm()).traits().endpointId()).isEmpty();
    }

    @Test
    void readsWhatIsBilledWhereTheAnnotationIsSetEvenIfEmpty() {
        var annotation = "autoscaling.neon.tech/billing-endpoint-id";

        assertThat(read(Samples.vm()).traits().billedTo()).isEmpty();
        assertThat(read(Samples.annotated(annotation, "ep-9")).traits().billedTo())
                .contains("ep-9");
        assertThat(read(Samples.annotated(annotation, "")).traits().billedTo()).contains("");
    }

    @Test
    void readsWhenTheObjectWasLastChanged() {
        var vm = Samples.vm();
        var writers = vm.withObject("/metadata").putArray("managedFields");
        writers.addObject().put("time", "2026-01-02T03:04:05Z");
        writers.addObject().put("subresource", "status").put("time", "2026-01-02T03:04:09Z");
        writers.addObject().put("time", "yesterday");

        assertThat(read(vm).traits().changedAtSeconds())
                .isEqualTo(Instant.parse("2026-01-02T03:04:09Z").getEpochSecond());
        assertThat(read(Samples.vm()).traits().changedAtSeconds()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'',PENDING",
        "Pending,PENDING",
        "Running,RUNNING",
        "Scaling,SCALING",
        "PreMigrating,PRE_MIGRATING",
        "Migrating,MIGRATING",
        "Succeeded,ENDED",
        "Failed,ENDED",
        "Whatever,PENDING"
    })
    void readsThePhases(String phase, VmPhase expected) {
        assertThat(read(Samples.with("/status", "phase", "\"" + phase + "\"")).phase())
                .isEqualTo(expected);
    }

    @Test
    void scalesOnlyWhatIsLabelledAndNamesOurScheduler() {
        assertThat(read(Samples.with("/spec", "schedulerName", "\"default-scheduler\""))
                        .autoscaled())
                .isFalse();
        assertThat(read(Samples.with("/metadata/labels", "autoscaling.neon.tech/enabled", "\"yes\""))
                        .autoscaled())
                .isFalse();
    }

    @Test
    void readsRevisionApprovalFenceAndOvercommit() {
        var vm = Samples.annotated(
                "internal.autoscaling.neon.tech/resources-approved", "{\"vCPUs\":\"750m\",\"mem\":\"3Gi\"}");
        vm.withObject("/metadata/annotations").put(NeonVmKeys.FENCE, "r/3");
        vm.withObject("/status").set("currentRevision", Samples.json("{\"revision\":{\"value\":12,\"flags\":3}}"));
        vm.withObject("/spec").set("overcommit", Samples.json("{\"cpu\":\"1.5\"}"));

        var observed = read(vm);

        assertThat(observed.approved()).contains(new Resources(750, 3 * GIB));
        assertThat(observed.fence()).isEqualTo("r/3");
        assertThat(observed.currentRevision()).contains(new Revision(12, 3));
        assertThat(observed.overcommit()).isEqualTo(new Overcommit(1500, 1000));
    }

    @Test
    void readsTheGoalThatWasSentToAVmLastWhetherReachedOrNot() {
        var reported = Samples.with("/spec", "targetRevision", "{\"revision\":{\"value\":9,\"flags\":2}}");

        assertThat(VmReader.targetRevision(reported)).contains(new Revision(9, 2));
        assertThat(VmReader.targetRevision(Samples.vm())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"9200,9200,/metrics", "9200/stats/all,9200,/stats/all"})
    void anAnnotationMovesTheMetrics(String annotation, int port, String path) {
        assertThat(read(Samples.annotated("autoscaling.sluice.io/metrics", annotation))
                        .metrics())
                .contains(new Endpoint("10.0.0.1", port, path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "70000", "/path", "-1", "9200/a b", "9200/\n"})
    void anAnnotationThatIsNoEndpointMovesNothing(String annotation) {
        var reading = reader.read(Samples.annotated("autoscaling.sluice.io/monitor", annotation));

        assertThat(reading.observed().monitor()).contains(new Endpoint("10.0.0.1", 10_301, "/monitor"));
        assertThat(reading.complaints()).hasSize(1);
    }

    @Test
    void aVmWithoutAnAddressAnswersNowhere() {
        var vm = Samples.vm();
        vm.set("status", Samples.json("{\"phase\":\"Pending\"}"));

        assertThat(read(vm).metrics()).isEmpty();
        assertThat(read(vm).sizes().status()).isEmpty();
    }

    @Test
    void readsOverridesFieldByField() {
        var observed = read(Samples.annotated(
                "autoscaling.neon.tech/config",
                "{\"loadAverageFractionTarget\":0.8,\"lfcWindowSizeMinutes\":5,\"other\":1}"));

        assertThat(observed.overrides().loadAverageFractionTarget()).contains(0.8);
        assertThat(observed.overrides().lfcWindowSizeMinutes()).contains(5);
        assertThat(observed.overrides().enableLfcMetrics()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{} and more",
                "{\"loadAverageFractionTarget\":2}",
                "{\"memoryUsageFractionTarget\":-0.1}",
                "{\"enableLFCMetrics\":\"yes\"}",
                "{\"lfcWindowSizeMinutes\":1.5}"
            })
    void badOverridesLeaveTheLastGoodOnes(String annotation) {
        var good = read(Samples.annotated("autoscaling.neon.tech/config", "{\"loadAverageFractionTarget\":0.8}"));

        var later = reader.read(Samples.annotated("autoscaling.neon.tech/config", annotation));

        assertThat(later.observed().overrides()).isEqualTo(good.overrides());
        assertThat(later.complaints()).hasSize(1);
    }

    @Test
    void refusesAnObjectWithoutSizesNamingTheField() {
        assertThatThrownBy(() -> read(Samples.with("/spec/guest/cpus", "use", "null")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use");
        assertThatThrownBy(() -> read(Samples.with("/spec/guest/memorySlots", "max", "0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max");
        assertThatThrownBy(() -> read(Samples.with("/metadata", "resourceVersion", "\"x\"")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resourceVersion");
    }

    private VmObserved read(ObjectNode vm) {
        var reading = reader.read(vm);
        assertThat(reading.complaints()).isEmpty();
        return reading.observed();
    }
}
