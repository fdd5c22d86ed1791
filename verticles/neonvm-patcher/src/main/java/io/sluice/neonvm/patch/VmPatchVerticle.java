package io.sluice.neonvm.patch;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.VmAddresses;
import io.sluice.bus.WorkerAddresses;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.core.Approvals;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.neonvm.core.objects.VmPatches;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.neonvm.core.objects.VmSizeReader;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.sluice.shell.Shell;
import io.sluice.trace.CurrentSpan;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies sizes to NeonVM's VirtualMachine objects. It sends one patch at a time for each VM and none after its
 * deadline. Each reply is one of three: the patch was applied, was certainly not applied, or may have been. It also
 * begins and ends migrations, binds and evicts pods, and writes the approved amounts of VMs.
 */
public final class VmPatchVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(VmPatchVerticle.class);
    private static final int CONFLICTS_MAX = 5;
    private static final Duration IN_DOUBT_EVERY = Duration.ofSeconds(10);
    /** So many patches in a row that had no reply are trouble; a single one may be lost. */
    private static final int UNANSWERED_MAX = 3;

    private static final List<String> OUTCOMES = List.of("patched", "conflict", "refused", "in_doubt");
    private static final int SLOTS_KEPT_MAX = 20_000;

    private final VmConfig config;
    private final KubernetesConfig kubernetes;
    private final Shell shell;
    private final KubernetesClient client;
    private final Map<String, UnderWay> underWay = new HashMap<>();
    private final Map<String, VmSizeReader.Slot> slots = new LinkedHashMap<>();
    private KubernetesApi api;
    private VmClaims claims;
    private LogThrottle inDoubt;
    private volatile Unanswered unanswered = Unanswered.NONE;
    private Optional<ApprovedWriter> approved = Optional.empty();

    /** @param client shared by the whole process and closed by its owner */
    public VmPatchVerticle(VmConfig config, KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        this.config = config;
        this.kubernetes = kubernetes;
        this.shell = shell;
        this.client = client;
    }

    /** With the defaults of the section {@code vm}. */
    public VmPatchVerticle(KubernetesConfig kubernetes, Shell shell, KubernetesClient client) {
        this(VmConfig.DEFAULTS, kubernetes, shell, client);
    }

    private record UnderWay(PatchVm patch, Future<PatchReply> reply) {}

    /**
     * A patch to be sent.
     *
     * @param amounts written to the annotations with it
     * @param sendBy the latest instant at which it may be sent
     */
    private record Timed(PatchVm patch, Optional<Approvals.Amounts> amounts, Instant sendBy, int conflicts) {
        Timed again() {
            return new Timed(patch, amounts, sendBy, conflicts + 1);
        }
    }

    @Override
    public Future<?> start() {
        api = new KubernetesApi(vertx, client, kubernetes, shell.meters());
        // A limit of their own: however many VMs are claimed at once, no patch of a size is refused for that.
        var others = new KubernetesApi(vertx, client, kubernetes, shell.meters());
        claims = new VmClaims(others);
        shell.readiness().reports("vm", "patches", () -> unanswered.trouble());
        inDoubt = new LogThrottle(shell.clock(), IN_DOUBT_EVERY);
        var migrations = new VmMigrations(others, shell.meters());
        var bindings = new PodBindings(
                new KubernetesApi(vertx, client, kubernetes, shell.meters()), shell.meters(), InstantSource.system());
        var unschedulable = new UnschedulablePods(
                new KubernetesApi(vertx, client, kubernetes, shell.meters()), InstantSource.system());
        var evictions =
                new PodEvictions(new KubernetesApi(vertx, client, kubernetes, shell.meters()), InstantSource.system());
        var elastic = new ElasticJobs(new KubernetesApi(vertx, client, kubernetes, shell.meters()));
        var gangs = new PodGroups(new KubernetesApi(vertx, client, kubernetes, shell.meters()), InstantSource.system());
        var instances = new InstancePodWriter(new KubernetesApi(vertx, client, kubernetes, shell.meters()));
        OUTCOMES.forEach(this::patches);
        var bus = new Bus(vertx);
        return bus.serve(VmAddresses.CLAIM, this::claim)
                .compose(served -> bus.serve(VmAddresses.PATCH, this::patchInTrace))
                .compose(served -> bus.serve(VmAddresses.MIGRATE, migrations::migrate))
                .compose(served -> bus.serve(VmAddresses.END_MIGRATION, migrations::end))
                .compose(served -> bus.serve(VmAddresses.BIND_POD, bindings::bind))
                .compose(served -> bus.serve(VmAddresses.TOUCH_POD, bindings::touch))
                .compose(served -> bus.serve(VmAddresses.CHOOSE_VOLUME, bindings::choose))
                .compose(served -> bus.serve(VmAddresses.REPORT_UNSCHEDULABLE, unschedulable::report))
                .compose(served -> bus.serve(VmAddresses.EVICT_POD, evictions::evict))
                .compose(served -> bus.serve(VmAddresses.NOMINATE_NODE, evictions::nominate))
                .compose(served -> bus.serve(VmAddresses.ELASTIC_JOBS, elastic::list))
                .compose(served -> bus.serve(VmAddresses.SCALE_JOB, elastic::scale))
                .compose(served -> bus.serve(VmAddresses.REPORT_GANG, gangs::report))
                .compose(served -> bus.serve(WorkerAddresses.RUN_POD, instances::run))
                .compose(served -> bus.serve(WorkerAddresses.END_POD, instances::end))
                .compose(served -> bus.serve(WorkerAddresses.PODS, instances::list))
                .compose(served -> config.writeApproved() ? writeApproved(bus, others) : Future.succeededFuture())
                .compose(served -> config.mirrorRequests() ? mirrorRequests(bus) : Future.succeededFuture());
    }

    private Future<Void> mirrorRequests(Bus bus) {
        return new RequestMirror(new KubernetesApi(vertx, client, kubernetes, shell.meters()), shell).start(vertx, bus);
    }

    private Future<Void> writeApproved(Bus bus, KubernetesApi others) {
        var writer = new ApprovedWriter(others, config, shell, () -> !underWay.isEmpty());
        approved = Optional.of(writer);
        return writer.start(vertx, bus);
    }

    private Future<ClaimReply> claim(ClaimVm request) {
        return claims.claim(request.vm(), request.runner())
                .map(object -> {
                    keepSlot(request.vm().uid(), object);
                    var sizes = VmSizeReader.read(object);
                    return new ClaimReply.Claimed(
                            VmReader.fence(object),
                            sizes,
                            VmReader.isSettled(object, sizes),
                            VmReader.targetRevision(object));
                })
                .map(ClaimReply.class::cast)
                .otherwise(failure -> new ClaimReply.Failed(KubernetesApi.words(failure)));
    }

    private Future<PatchReply> patchInTrace(PatchVm request) {
        var span = CurrentSpan.get();
        if (!span.isRecorded()) {
            return patch(request);
        }
        span.of(request.vm().label()).amount("requested", request.target());
        return patch(request).onSuccess(reply -> span.outcome(reply.word()));
    }

    private Future<PatchReply> patch(PatchVm request) {
        var uid = request.vm().uid();
        var before = underWay.get(uid);
        if (before != null) {
            // Refusing a repeat would report that the patch was not applied, while it still may be.
            return isRepeat(request, before.patch())
                    ? before.reply()
                    : counted(new PatchReply.Refused(0, "another patch of this VM is under way"));
        }
        var sendBy = shell.clock().instant().plus(request.sendWithin());
        var amounts = approved.map(writer -> writer.carriedBy(request));
        var reply = perform(new Timed(request, amounts, sendBy, 0))
                .recover(this::lost)
                .compose(this::counted)
                .onSuccess(ended -> {
                    if (ended instanceof PatchReply.Patched) {
                        amounts.ifPresent(carried -> approved.get().carried(request, carried));
                    }
                });
        if (!reply.isComplete()) {
            underWay.put(uid, new UnderWay(request, reply));
            reply.onComplete(done -> underWay.remove(uid));
        }
        return reply;
    }

    /** A repeat has less time left. */
    private static boolean isRepeat(PatchVm request, PatchVm before) {
        return request.vm().equals(before.vm())
                && request.podName().equals(before.podName())
                && request.target().equals(before.target())
                && request.revision().equals(before.revision())
                && request.fence().equals(before.fence())
                && request.nextFence().equals(before.nextFence());
    }

    private Future<PatchReply> perform(Timed timed) {
        var known = slots.get(timed.patch().vm().uid());
        return known != null
                ? send(timed, known)
                : api.get(path(timed)).compose(read -> {
                    if (read.status() != 200) {
                        return refused(read.status(), "reading the VM was answered " + read.status());
                    }
                    return send(timed, keepSlot(timed.patch().vm().uid(), read.body()));
                });
    }

    private Future<PatchReply> send(Timed timed, VmSizeReader.Slot slot) {
        var now = shell.clock().instant();
        if (now.isAfter(timed.sendBy())) {
            var late = Duration.between(timed.sendBy(), now).toMillis();
            return refused(0, "its deadline had passed " + late + " ms ago");
        }
        String operations;
        try {
            operations = VmPatches.resize(timed.patch(), timed.amounts(), slot, now);
        } catch (IllegalArgumentException noWholeSlots) {
            return refused(0, noWholeSlots.getMessage());
        }
        return api.patch(NeonVmKeys.VM_KIND, path(timed), operations, Duration.between(now, timed.sendBy()))
                .compose(answer -> weighed(timed, slot, answer));
    }

    private Future<PatchReply> weighed(Timed timed, VmSizeReader.Slot slot, KubernetesApi.Answer answer) {
        return switch (PatchOutcome.of(answer.status(), answer.body())) {
            case PatchOutcome.Final(var reply) -> Future.succeededFuture(reply);
            case PatchOutcome.TryAgain() when timed.conflicts() < CONFLICTS_MAX -> send(timed.again(), slot);
            case PatchOutcome.TryAgain() -> refused(answer.status(), "each time another write came before the patch");
            case PatchOutcome.ReadFirst() -> explain(timed, PatchOutcome.words(answer.body()));
        };
    }

    private Future<PatchReply> explain(Timed timed, String why) {
        return api.get(path(timed))
                .map(read -> {
                    if (read.status() != 200) {
                        return new PatchReply.Refused(
                                PatchOutcome.UNPROCESSABLE, "the API server refused the patch" + why);
                    }
                    keepSlot(timed.patch().vm().uid(), read.body());
                    return PatchOutcome.afterFailedTest(timed.patch(), read.body(), why);
                })
                // A 422 alone does not show whether this very patch was applied when it was sent before.
                .otherwise(failure -> new PatchReply.InDoubt("a test failed, and reading the VM failed too" + why));
    }

    private Future<PatchReply> lost(Throwable failure) {
        var words = KubernetesApi.words(failure);
        return Future.succeededFuture(
                failure instanceof KubernetesApi.NotSentException
                        ? new PatchReply.Refused(0, words)
                        : new PatchReply.InDoubt(words));
    }

    private Future<PatchReply> counted(PatchReply reply) {
        patches(reply.word()).increment();
        if (reply instanceof PatchReply.InDoubt(var reason)) {
            unanswered = new Unanswered(unanswered.patches() + 1, reason);
            inDoubt.happened(
                    1,
                    count -> LOG.atWarn()
                            .addKeyValue(LogKeys.REASON, reason)
                            .addKeyValue(LogKeys.COUNT, count)
                            .log("It is unknown whether a patch was applied."));
        } else {
            unanswered = Unanswered.NONE;
        }
        return Future.succeededFuture(reply);
    }

    /** How many patches had no reply since the last one that had one, and why the last of them had none. */
    private record Unanswered(int patches, String reason) {
        static final Unanswered NONE = new Unanswered(0, "");

        Optional<String> trouble() {
            return patches < UNANSWERED_MAX
                    ? Optional.empty()
                    : Optional.of("the last " + patches + " patches of VMs had no reply: " + reason);
        }
    }

    private Counter patches(String outcome) {
        return Counter.builder("sluice.vm.patches")
                .description("Patches of VM objects, by outcome")
                .tag("outcome", outcome)
                .register(shell.meters());
    }

    private VmSizeReader.Slot keepSlot(String uid, JsonNode object) {
        var slot = VmSizeReader.slot(object);
        slots.put(uid, slot);
        if (slots.size() > SLOTS_KEPT_MAX) {
            slots.remove(slots.keySet().iterator().next());
        }
        return slot;
    }

    private static String path(Timed timed) {
        return KubernetesApi.vmPath(timed.patch().vm());
    }

    private static Future<PatchReply> refused(int status, String reason) {
        return Future.succeededFuture(new PatchReply.Refused(status, reason));
    }
}
