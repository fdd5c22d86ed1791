package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.RequestAddress;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of claims and of patches of sizes. */
public abstract class PatchContract extends DriverContract {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration LATE = Duration.ofSeconds(60);

    /** A busy machine may take long to reply to hundreds. */
    private static final RequestAddress<PatchVm, PatchReply> PATIENT = new RequestAddress<>(
            VmAddresses.PATCH.name(),
            VmAddresses.PATCH.request(),
            VmAddresses.PATCH.answer(),
            Duration.ofMinutes(5),
            VmAddresses.PATCH.maxInFlight());

    private static final Resources MORE = new Resources(1500, 6L << 30);

    /** More than one HTTP/2 connection carries at once. */
    private static final int MANY = 300;

    private static final int WRITERS = 4;
    private static final int WRITES = 20;

    private final Map<String, String> owners = new HashMap<>();

    @BeforeEach
    void deploy() {
        done(vertx.deployVerticle(new VmPatchVerticle(config, shell, client)));
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
    void writesTheNextRevisionOverTheLast() {
        claim("r1");
        patch(of("r1", 0), of("r1", 1), MORE);

        var next = new PatchVm(vm, "db-0", MORE, new Revision(13, 2), of("r1", 1), of("r1", 2), SOON);
        assertThat(done(bus.request(VmAddresses.PATCH, next))).isInstanceOf(PatchReply.Patched.class);

        var revision = read().at("/spec/targetRevision/revision");
        assertThat(revision.path("value").asLong()).isEqualTo(13);
        assertThat(revision.path("flags").asLong()).isEqualTo(2);
    }

    @Test
    void answersConflictWhereTheVmWasNeverClaimed() {
        assertThat(patch("r1+1/0", "r1+1/1", MORE))
                .isEqualTo(new PatchReply.Conflict(new Resources(1000, 4L << 30), ""));
        assertThat(read().at("/metadata/annotations").isObject()).isFalse();
    }

    @Test
    void refusesOnceAndGoesOnWhereTheSlotsHaveChanged() {
        claim("r1");
        raw.patch(VMS + "/db", MERGE, "{\"spec\":{\"guest\":{\"memorySlotSize\":\"2Gi\"}}}");

        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.Refused.class);
        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.Patched.class);
        assertThat(read().at("/spec/guest/memorySlots/use").asLong()).isEqualTo(3);
    }

    @Test
    void isNotOvertakenByWritersOfOtherThings() {
        claim("r1");
        var writers = IntStream.range(0, WRITERS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < WRITES; n++) {
                        raw.patch(VMS + "/db", MERGE, "{\"metadata\":{\"labels\":{\"w%d\":\"%d\"}}}".formatted(i, n));
                    }
                }))
                .toList();

        for (int i = 0; i < WRITES; i++) {
            assertThat(patch(of("r1", i), of("r1", i + 1), new Resources(250 * (1 + i % 8), 4L << 30)))
                    .isInstanceOf(PatchReply.Patched.class);
        }

        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
        assertThat(fence()).isEqualTo(of("r1", WRITES));
    }

    @Test
    void findsAppliedWhatWasAppliedWithoutItsReplyBeingReceived() {
        claim("r1");
        proxy.loseAnswers(entry -> entry.patches("db", JSON_PATCH));
        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.InDoubt.class);
        proxy.loseAnswers(entry -> false);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isEqualTo(new PatchReply.Patched(
                        read().at("/metadata/resourceVersion").asLong()));
    }

    @Test
    void doesNotFindAppliedWhatADifferentSizeStandsFor() {
        claim("r1");
        patch(of("r1", 0), of("r1", 1), MORE);

        assertThat(patch(of("r1", 0), of("r1", 1), new Resources(2000, 8L << 30)))
                .isEqualTo(new PatchReply.Conflict(MORE, of("r1", 1)));
    }

    @Test
    void answersConflictWithWhatStandsThereToARunnerThatWasReplaced() {
        claim("r1");
        claim("r2");

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isEqualTo(new PatchReply.Conflict(new Resources(1000, 4L << 30), of("r2", 0)));
    }

    @Test
    void repliesToAClaimWithTheGoalThatWasSentToTheVmLast() {
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
        raw.patch(VMS + "/db/status", MERGE, "{\"status\":{\"podName\":\"db-1\"}}");

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
    void repliesTheSameToARepeatWhenItsFirstReplyWasLost() {
        claim("r1");
        var first = patch(of("r1", 0), of("r1", 1), MORE);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isEqualTo(first);
    }

    @Test
    void sendsNothingAfterItsTime() {
        claim("r1");

        var reply = done(bus.request(
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
        proxy.hold(entry -> entry.patches("db", JSON_PATCH));
        var request = new PatchVm(vm, "db-0", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), LATE);
        var other = new PatchVm(vm, "db-0", MORE, new Revision(13, 1), of("r1", 1), of("r1", 2), LATE);

        var first = bus.request(PATIENT, request);
        var repeat = bus.request(PATIENT, request);
        var second = bus.request(PATIENT, other);

        assertThat(done(second)).isInstanceOf(PatchReply.Refused.class);
        proxy.release();
        assertThat(done(first)).isInstanceOf(PatchReply.Patched.class);
        assertThat(done(repeat)).isEqualTo(done(first));
    }

    @Test
    void letsARepeatJoinThatHasLessTimeLeft() {
        claim("r1");
        var request = new PatchVm(vm, "db-0", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON);
        var later = new PatchVm(
                vm, "db-0", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON.minus(Duration.ofSeconds(1)));

        var first = bus.request(VmAddresses.PATCH, request);
        var repeat = bus.request(VmAddresses.PATCH, later);

        assertThat(done(repeat)).isEqualTo(done(first)).isInstanceOf(PatchReply.Patched.class);
    }

    @Test
    void waitsForAnAnswerNoLongerThanThePatchMayBeSent() {
        claim("r1");
        proxy.hold(entry -> entry.writes("db"));

        var reply = done(bus.request(
                VmAddresses.PATCH,
                new PatchVm(vm, "", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), Duration.ofMillis(500))));

        assertThat(reply).isInstanceOf(PatchReply.InDoubt.class);
        assertThat(fence()).isEqualTo(of("r1", 0));
    }

    @Test
    void aVmWithoutRepliesKeepsNoneOfHundredsWaiting() {
        claim("r1");
        var fences = IntStream.range(0, MANY)
                .mapToObj(i -> id(RunningVm.make(raw, "vm-" + i, "null")))
                .collect(Collectors.toMap(other -> other, other -> fence(claim(other, "r2"))));
        proxy.hold(entry -> entry.writes("db"));
        var stalled =
                bus.request(PATIENT, new PatchVm(vm, "", MORE, new Revision(12, 1), of("r1", 0), of("r1", 1), SOON));

        var patches = fences.entrySet().stream()
                .map(other -> new PatchVm(other.getKey(), "", MORE, new Revision(1, 1), other.getValue(), "r2/1", LATE))
                .toList();
        var replies = patches.stream().map(patch -> bus.request(PATIENT, patch)).toList();

        for (int i = 0; i < MANY; i++) {
            assertThat(sure(patches.get(i), done(replies.get(i)))).isInstanceOf(PatchReply.Patched.class);
        }
        assertThat(done(stalled)).isInstanceOf(PatchReply.InDoubt.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 429})
    void answersRefusedWhereThePatchWasCertainlyNotApplied(int status) {
        claim("r1");
        proxy.failNext(status, 1);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 504})
    void repliesInDoubtWhereThePatchMayHaveBeenApplied(int status) {
        claim("r1");
        proxy.failNext(status, 1);

        assertThat(patch(of("r1", 0), of("r1", 1), MORE)).isInstanceOf(PatchReply.InDoubt.class);
    }

    @Test
    void triesAgainWhenAnotherWriteCameInBetween() {
        claim("r1");
        proxy.failNext(409, 2);

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
        raw.delete(VMS + "/db", "");
        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(404));

        RunningVm.replace(raw, "db", "{\"internal.autoscaling.sluice.io/fence\":\"r1/0\"}");
        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isInstanceOfSatisfying(
                        PatchReply.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(404));
        assertThat(claim("r1")).isInstanceOf(ClaimReply.Failed.class);
    }

    @Test
    void repliesInDoubtOrRefusedWhenTheApiIsAway() {
        claim("r1");
        done(proxy.close());

        assertThat(patch(of("r1", 0), of("r1", 1), MORE))
                .isNotInstanceOfAny(PatchReply.Patched.class, PatchReply.Conflict.class);
        assertThat(claim("r1")).isInstanceOf(ClaimReply.Failed.class);
    }

    /** A busy machine may answer so many too late; a repeat finds that the patch was applied. */
    private PatchReply sure(PatchVm patch, PatchReply first) {
        return first instanceof PatchReply.InDoubt
                ? await().until(
                                () -> done(bus.request(PATIENT, patch)),
                                again -> !(again instanceof PatchReply.InDoubt))
                : first;
    }

    private ClaimReply claim(String runner) {
        var reply = claim(vm, runner);
        if (reply instanceof ClaimReply.Claimed claimed) {
            owners.put(runner, fence(claimed).substring(0, fence(claimed).lastIndexOf('/')));
        }
        return reply;
    }

    private ClaimReply claim(VmId which, String runner) {
        return done(bus.request(VmAddresses.CLAIM, new ClaimVm(which, runner)));
    }

    private static String fence(ClaimReply reply) {
        return ((ClaimReply.Claimed) reply).fence();
    }

    /** The fence of a runner's last claim after this many patches. */
    private String of(String runner, int patches) {
        return owners.get(runner) + "/" + patches;
    }

    private PatchReply patch(String fence, String next, Resources target) {
        return patch("db-0", fence, next, target);
    }

    private PatchReply patch(String podName, String fence, String next, Resources target) {
        return done(bus.request(
                VmAddresses.PATCH, new PatchVm(vm, podName, target, new Revision(12, 1), fence, next, SOON)));
    }

    private String fence() {
        return read().at("/metadata/annotations/internal.autoscaling.sluice.io~1fence")
                .asText();
    }
}
