package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.core.Approvals;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VmPatchesTest {
    private static final long GIB = 1L << 30;
    private static final PatchVm PATCH = patch(new Resources(500, 2 * GIB));
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    @Test
    void testsFirstAndThenAddsEachField() {
        var json = VmPatches.resize(PATCH, Optional.empty(), VmSizeReader.slot(Samples.vm()), NOW);

        assertThat(Samples.json(json)).isEqualTo(Samples.json("""
            [{"op":"test","path":"/metadata/uid","value":"u1"},
             {"op":"test","path":"/status/podName","value":"db-0"},
             {"op":"test","path":"/metadata/annotations/internal.autoscaling.sluice.io~1fence","value":"r/3"},
             {"op":"test","path":"/spec/guest/memorySlotSize","value":"1Gi"},
             {"op":"add","path":"/metadata/annotations/internal.autoscaling.sluice.io~1fence","value":"r/4"},
             {"op":"add","path":"/spec/guest/cpus/use","value":"500m"},
             {"op":"add","path":"/spec/guest/memorySlots/use","value":2},
             {"op":"add","path":"/spec/targetRevision","value":
               {"revision":{"value":12,"flags":1},"updatedAt":"2026-01-02T03:04:05Z"}}]\
            """));
    }

    @Test
    void carriesTheApprovedAmountsBehindTheSize() {
        var amounts = new Approvals.Amounts(
                Optional.of(new Resources(250, GIB)), Optional.of(new Resources(500, 2 * GIB)), PATCH.target());

        var json = Samples.json(VmPatches.resize(PATCH, Optional.of(amounts), VmSizeReader.slot(Samples.vm()), NOW));

        assertThat(json.size()).isEqualTo(11);
        assertThat(json.get(8)).isEqualTo(Samples.json("""
            {"op":"add","path":"/metadata/annotations/autoscaling.neon.tech~1scaling-unit",
             "value":"{\\"vCPUs\\":\\"250m\\",\\"mem\\":\\"1Gi\\"}"}\
            """));
        assertThat(json.get(9).path("path").asText()).endsWith("~1resources-requested");
        assertThat(json.get(10).path("path").asText()).endsWith("~1resources-approved");
        assertThat(json.get(10).path("value").asText()).isEqualTo("{\"vCPUs\":\"500m\",\"mem\":\"2Gi\"}");
    }

    @Test
    void writesWholeCpusAsAStringToo() {
        var json = VmPatches.resize(
                patch(new Resources(2000, GIB)), Optional.empty(), VmSizeReader.slot(Samples.vm()), NOW);

        assertThat(Samples.json(json).get(5).path("value").textValue()).isEqualTo("2");
    }

    @Test
    void refusesAPartOfASlot() {
        var slot = VmSizeReader.slot(Samples.vm());

        assertThatThrownBy(() -> VmPatches.resize(patch(new Resources(500, GIB + 1)), Optional.empty(), slot, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slots");
    }

    @Test
    void makesTheMapOfAnnotationsWhereThereIsNone() {
        var vm = Samples.vm();
        vm.withObject("/metadata").remove("annotations");

        assertThat(Samples.json(VmPatches.claim(vm, "r/0"))).isEqualTo(Samples.json("""
            [{"op":"test","path":"/metadata/uid","value":"u1"},
             {"op":"test","path":"/metadata/annotations","value":null},
             {"op":"add","path":"/metadata/annotations","value":{}},
             {"op":"add","path":"/metadata/annotations/internal.autoscaling.sluice.io~1fence","value":"r/0"}]\
            """));
    }

    @Test
    void claimsOnlyWhatIsStillAsItWasRead() {
        var unclaimed = Samples.json(VmPatches.claim(Samples.vm(), "r/0"));
        var claimed = Samples.json(VmPatches.claim(Samples.annotated(NeonVmKeys.FENCE, "old/9"), "r/0"));

        assertThat(unclaimed.get(1).path("value").isNull()).isTrue();
        assertThat(claimed.get(1).path("op").asText()).isEqualTo("test");
        assertThat(claimed.get(1).path("value").asText()).isEqualTo("old/9");
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(200, "{\"metadata\":{\"resourceVersion\":\"9\"}}", "Final[reply=Patched[version=9]]"),
                Arguments.of(409, "{}", "TryAgain[]"),
                Arguments.of(422, "{}", "ReadFirst[]"),
                Arguments.of(
                        404,
                        "{\"message\":\"not found\"}",
                        "Final[reply=Refused[status=404, reason=the API server answered 404: not found]]"),
                Arguments.of(403, "{}", "Final[reply=Refused[status=403, reason=the API server answered 403]]"),
                Arguments.of(429, "{}", "Final[reply=Refused[status=429, reason=the API server answered 429]]"),
                Arguments.of(500, "{}", "Final[reply=InDoubt[reason=the API server answered 500]]"),
                Arguments.of(504, "{}", "Final[reply=InDoubt[reason=the API server answered 504]]"),
                Arguments.of(302, "{}", "Final[reply=InDoubt[reason=the API server answered 302]]"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void weighsEachStatus(int status, String body, String expected) {
        assertThat(PatchOutcome.of(status, Samples.json(body))).hasToString(expected);
    }

    @Test
    void distinguishesAForeignFenceFromARuleOfTheServerAndItsOwnEarlierSuccess() {
        assertThat(PatchOutcome.afterFailedTest(PATCH, Samples.annotated(NeonVmKeys.FENCE, "other/0"), ""))
                .isEqualTo(new PatchReply.Conflict(new Resources(500, 2 * GIB), "other/0"));
        assertThat(PatchOutcome.afterFailedTest(PATCH, Samples.annotated(NeonVmKeys.FENCE, "r/3"), ": no"))
                .isEqualTo(new PatchReply.Refused(422, "the API server refused the patch: no"));
        assertThat(PatchOutcome.afterFailedTest(PATCH, Samples.annotated(NeonVmKeys.FENCE, "r/4"), ""))
                .isEqualTo(new PatchReply.Patched(7));
        assertThat(PatchOutcome.afterFailedTest(PATCH, Samples.with("/metadata", "uid", "\"u2\""), ""))
                .isInstanceOf(PatchReply.Refused.class);
    }

    @Test
    void testsNoPodWhereNoneIsNamed() {
        var json = Samples.json(VmPatches.resize(
                patch("", new Resources(500, GIB)), Optional.empty(), VmSizeReader.slot(Samples.vm()), NOW));

        assertThat(json.findValuesAsText("path")).doesNotContain("/status/podName");
    }

    @Test
    void reportsThatAVmRunsInAnotherPodNowUnlessAnotherSessionHasClaimedIt() {
        var moved = Samples.annotated(NeonVmKeys.FENCE, "r/3");
        moved.withObject("/status").put("podName", "db-1");
        var stopped = Samples.annotated(NeonVmKeys.FENCE, "r/3");
        stopped.withObject("/status").remove("podName");
        var claimed = Samples.annotated(NeonVmKeys.FENCE, "other/0");
        claimed.withObject("/status").put("podName", "db-1");

        assertThat(PatchOutcome.afterFailedTest(PATCH, moved, ": no"))
                .isEqualTo(new PatchReply.Refused(422, "the VM runs in another pod now: db-1 instead of db-0"));
        assertThat(PatchOutcome.afterFailedTest(PATCH, stopped, ": no"))
                .isEqualTo(new PatchReply.Refused(422, "the VM runs in no pod now, and not in db-0"));
        assertThat(PatchOutcome.afterFailedTest(PATCH, claimed, ": no")).isInstanceOf(PatchReply.Conflict.class);
    }

    @Test
    void recordsWhatWasReservedWithoutMindingAnyFence() {
        var all = new Approvals.Amounts(
                Optional.of(new Resources(250, GIB)),
                Optional.of(new Resources(2000, 8 * GIB)),
                new Resources(1500, 6 * GIB));
        var least = new Approvals.Amounts(Optional.empty(), Optional.empty(), new Resources(1500, 512));

        assertThat(Samples.json(VmPatches.approved("u1", all))).isEqualTo(Samples.json("""
            {"metadata":{"uid":"u1","annotations":{
              "autoscaling.neon.tech/scaling-unit":"{\\"vCPUs\\":\\"250m\\",\\"mem\\":\\"1Gi\\"}",
            "internal.autoscaling.neon.tech/resources-requested":"{\\"vCPUs\\":2,\\"mem\\":\\"8Gi\\"}",
            "internal.autoscaling.neon.tech/resources-approved":"{\\"vCPUs\\":\\"1500m\\",\\"mem\\":\\"6Gi\\"}"}}}\
            """));
        assertThat(Samples.json(VmPatches.approved("u1", least)).at("/metadata/annotations"))
                .isEqualTo(Samples.json("""
                    {
                    "internal.autoscaling.neon.tech/resources-approved":"{\\"vCPUs\\":\\"1500m\\",\\"mem\\":\\"512\\"}"
                    }\
                    """));
    }

    private static PatchVm patch(Resources target) {
        return patch("db-0", target);
    }

    private static PatchVm patch(String podName, Resources target) {
        var vm = new VmId("neonvm", "ns", "db", "u1");
        return new PatchVm(vm, podName, target, new Revision(12, 1), "r/3", "r/4", Duration.ofSeconds(1));
    }
}
