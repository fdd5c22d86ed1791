package io.sluice.lab.kubernetes;

import static io.sluice.lab.kubernetes.Stage.done;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.VmPatchVerticle;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver of VMs against the lab's API. */
class VmPatchVerticleTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Resources MORE = new Resources(1500, 6L << 30);

    /** More than one HTTP/2 connection would carry at a time. */
    private static final int MANY = 300;

    private Stage stage;
    private VmId vm;

    private final Map<String, String> owners = new HashMap<>();

    @BeforeEach
    void setStage() {
        stage = new Stage();
        var object = stage.runningVm("db", "null");
        vm = new VmId("neonvm", "default", "db", object.at("/metadata/uid").asText());
        done(stage.vertx.deployVerticle(new VmPatchVerticle(stage.config, stage.shell, stage.client)));
    }

    @AfterEach
    void clearStage() {
        stage.close();
    }

    @Test
    void claimsAVmThatHasNoAnnotationsAndThenFromAnotherRunner() {
        var first = (ClaimReply.Claimed) claim("r1");
        var second = (ClaimReply.Claimed) claim("r2");

        assertThat(first.fence()).isEqualTo(of("r1", 0));
        assertThat(first.sizes().spec()).isEqualTo(new Resources(1000, 4L << 30));
        assertThat(second.fence()).isEqualTo(of("r2", 0));
        assertThat(fence()).isEqualTo(of("r2", 0));
    }

    @Test
    void neverWritesAFenceTwice() {
        var first = (ClaimReply.Claimed) claim("r1");
        claim("r2");

        var late = (ClaimReply.Claimed) claim("r1");

        assertThat(late.fence()).isNotEqualTo(first.fence());
        assertThat(patch(first.fence(), "r1/1", MORE)).isInstanceOf(PatchReply.Conflict.class);
    }

    @Test
    void leavesTheFenceOfTheSameRunnerWhereItStands() {
        claim("r1");
        patch(of("r1", 0), of("r1", 1), MORE);

        assertThat(claim("r1")).isInstanceOfSatisfying(ClaimReply.Claimed.class, claimed -> {
            assertThat(claimed.fence()).isEqualTo(of("r1", 1));
            assertThat(claimed.sizes().spec()).isEqualTo(MORE);
        });
    }

    @Test
    void writesSizeRevisionAndNextFenceInOnePatch() {
        claim("r1");

        var reply = patch(of("r1", 0), of("r1", 1), MORE);

        var object = read();
        assertThat(reply)
                .isEqualTo(new PatchReply.Patched(
                        object.at("/metadata/resourceVersion").asLong()));
        assertThat(object.at("/spec/guest/cpus/use").textValue()).isEqualTo("1500m");
        assertThat(object.at("/spec/guest/memorySlots/use").isIntegralNumber()).isTrue();
        assertThat(object.at("/spec/guest/memorySlots/use").asLong()).isEqualTo(6);
        assertThat(object.at("/spec/targetRevision/revision/value").asLong()).isEqualTo(12);
        assertThat(object.at("/spec/targetRevision/updatedAt").asText()).matches("....-..-..T..:..:..Z");
        assertThat(fence()).isEqualTo(of("r1", 1));
    }

    @Test
    void answersConflictWithWhatStandsThereToARunnerThatWasReplaced() {
        claim("r1");
        claim("r2");

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isEqualTo(new PatchReply.Conflict(new Resources(1000, 4L << 30), of("r2", 0)));
    }

    @Test
    void tellsWithAClaimTheGoalThatTheVmWasToldLast() {
        var first = (ClaimReply.Claimed) claim("r1");
        patch(of("r1", 0), of("r1", 1), MORE);
        var second = (ClaimReply.Claimed) claim("r2");

        assertThat(first.target()).isEmpty();
        assertThat(second.target()).contains(new Revision(12, 1));
        assertThat(second.settled()).isFalse();
    }

    @Test
    void doesNotTouchAVmThatRunsInAnotherPodNow() {
        claim("r1");
        stage.raw.patch(
                Stage.VMS + "/db/status", "application/merge-patch+json", "{\"status\":{\"podName\":\"db-1\"}}");

        var reply = patch("db-0", of("r1", 0), of("r1", 1), MORE);

        assertThat(reply)
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.reason()).contains("runs in another pod now: db-1"));
        assertThat(read().at("/spec/guest/memorySlots/use").asLong()).isEqualTo(4);
        assertThat(fence()).isEqualTo(of("r1", 0));
        assertThat(patch("db-1", of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.Patched.class);
        assertThat(patch("", of("r1", 1), of("r1", 2), MORE)).isInstanceOf(PatchReply.Patched.class);
    }

    @Test
    void answersTheSameToARepeatWhoseFirstAnswerGotLost() {
        claim("r1");
        var first = patch(of("r1", 0), of("r1", 1), MORE);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isEqualTo(first);
    }

    @Test
    void sendsNothingAfterItsTime() {
        claim("r1");

        var reply = done(stage.bus.request(
                VmAddresses.PATCH,
                new PatchVm(vm, "", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), Duration.ofMillis(-1))));

        assertThat(reply)
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isZero());
        assertThat(fence()).isEqualTo(of("r1", 0));
    }

    @Test
    void keepsToOnePatchAtATimeButLetsARepeatJoin() {
        claim("r1");
        var question = new PatchVm(vm, "db-0", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON);
        var other = new PatchVm(vm, "db-0", MORE, new Revision(13, 1), of("r1", 1), of("r1", 2), SOON);

        var first = stage.bus.request(VmAddresses.PATCH, question);
        var repeat = stage.bus.request(VmAddresses.PATCH, question);
        var second = stage.bus.request(VmAddresses.PATCH, other);

        assertThat(done(first)).isInstanceOf(PatchReply.Patched.class);
        assertThat(done(repeat)).isEqualTo(done(first));
        assertThat(done(second)).isInstanceOf(PatchReply.Refused.class);
    }

    @Test
    void letsARepeatJoinThatHasLessTimeLeft() {
        claim("r1");
        var question = new PatchVm(vm, "db-0", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON);
        var later = new PatchVm(
                vm, "db-0", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON.minus(Duration.ofSeconds(1)));

        var first = stage.bus.request(VmAddresses.PATCH, question);
        var repeat = stage.bus.request(VmAddresses.PATCH, later);

        assertThat(done(repeat)).isEqualTo(done(first)).isInstanceOf(PatchReply.Patched.class);
    }

    @Test
    void waitsForAnAnswerNoLongerThanThePatchMayBeSent() {
        claim("r1");
        stage.api.holdWrites(path -> path.endsWith("/db"));

        var reply = done(stage.bus.request(
                VmAddresses.PATCH,
                new PatchVm(vm, "", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), Duration.ofMillis(500))));

        assertThat(reply).isInstanceOf(PatchReply.InDoubt.class);
        assertThat(fence()).isEqualTo(of("r1", 0));
    }

    @Test
    void aVmWhoseAnswersDoNotComeKeepsNoneOfHundredsWaiting() {
        claim("r1");
        var others = IntStream.range(0, MANY)
                .mapToObj(i -> stage.runningVm("vm-" + i, "{\"internal.autoscaling.sluice.io/fence\":\"r/0\"}"))
                .map(object -> new VmId(
                        "neonvm",
                        "default",
                        object.at("/metadata/name").asText(),
                        object.at("/metadata/uid").asText()))
                .toList();
        stage.api.holdWrites(path -> path.endsWith("/db"));
        var stalled = stage.bus.request(
                VmAddresses.PATCH, new PatchVm(vm, "", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON));

        var replies = others.stream()
                .map(other -> stage.bus.request(
                        VmAddresses.PATCH, new PatchVm(other, "", MORE, new Revision(1, 1), "r/0", "r/1", SOON)))
                .toList();

        assertThat(replies).allSatisfy(reply -> assertThat(done(reply)).isInstanceOf(PatchReply.Patched.class));
        assertThat(done(stalled)).isInstanceOf(PatchReply.InDoubt.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 429})
    void answersRefusedWhereThePatchWasCertainlyNotApplied(int status) {
        claim("r1");
        stage.api.failNext(status, 1);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 504})
    void answersInDoubtWhereThePatchMayHaveBeenApplied(int status) {
        claim("r1");
        stage.api.failNext(status, 1);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.InDoubt.class);
    }

    @Test
    void triesAgainWhenAnotherWriteCameInBetween() {
        claim("r1");
        stage.api.failNext(409, 2);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.Patched.class);
    }

    @Test
    void refusesWhatIsNoWholeNumberOfSlots() {
        claim("r1");

        assertThat(patch(of("r1", 0), of("r1", 1), new Resources(1000, (4L << 30) + 1)))
                .isInstanceOf(PatchReply.Refused.class);
    }

    @Test
    void refusesAVmOfThatNameThatIsAnother() {
        claim("r1");
        stage.raw.delete(Stage.VMS + "/db", "");
        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(404));

        stage.runningVm("db", "{\"internal.autoscaling.sluice.io/fence\":\"r1/0\"}");
        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(404));
        assertThat(claim("r1")).isInstanceOf(ClaimReply.Failed.class);
    }

    @Test
    void answersInDoubtOrRefusedWhenTheApiIsAway() {
        claim("r1");
        done(stage.api.close());

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isNotInstanceOfAny(PatchReply.Patched.class, PatchReply.Conflict.class);
        assertThat(claim("r1")).isInstanceOf(ClaimReply.Failed.class);
    }

    private ClaimReply claim(String runner) {
        var reply = done(stage.bus.request(VmAddresses.CLAIM, new ClaimVm(vm, runner)));
        if (reply instanceof ClaimReply.Claimed(var fence, var _, var _, var _)) {
            owners.put(runner, fence.substring(0, fence.lastIndexOf('/')));
        }
        return reply;
    }

    /** The fence of a runner's last claim after this many patches. */
    private String of(String runner, int patches) {
        return owners.get(runner) + "/" + patches;
    }

    private PatchReply patch(String fence, String next, Resources target) {
        return patch("db-0", fence, next, target);
    }

    private PatchReply patch(String podName, String fence, String next, Resources target) {
        return done(stage.bus.request(
                VmAddresses.PATCH, new PatchVm(vm, podName, target, new Revision(12, 1), fence, next, SOON)));
    }

    private JsonNode read() {
        return stage.raw.get(Stage.VMS + "/db").body();
    }

    private String fence() {
        return read().at("/metadata/annotations/internal.autoscaling.sluice.io~1fence")
                .asText();
    }
}
