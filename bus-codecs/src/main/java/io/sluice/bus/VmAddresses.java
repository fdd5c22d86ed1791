package io.sluice.bus;

import io.sluice.codecs.placement.GangStateCodec;
import io.sluice.codecs.vm.BindPodCodec;
import io.sluice.codecs.vm.ChooseVolumeCodec;
import io.sluice.codecs.vm.ClaimReplyCodec;
import io.sluice.codecs.vm.ClaimVmCodec;
import io.sluice.codecs.vm.ElasticJobListCodec;
import io.sluice.codecs.vm.EndMigrationCodec;
import io.sluice.codecs.vm.EndReplyCodec;
import io.sluice.codecs.vm.EvictPodCodec;
import io.sluice.codecs.vm.EvictReplyCodec;
import io.sluice.codecs.vm.GangReportedCodec;
import io.sluice.codecs.vm.ListElasticJobsCodec;
import io.sluice.codecs.vm.MigrateReplyCodec;
import io.sluice.codecs.vm.MigrateVmCodec;
import io.sluice.codecs.vm.NominateNodeCodec;
import io.sluice.codecs.vm.PatchReplyCodec;
import io.sluice.codecs.vm.PatchVmCodec;
import io.sluice.codecs.vm.PodBindingCodec;
import io.sluice.codecs.vm.ScaleJobCodec;
import io.sluice.codecs.vm.ScaleReplyCodec;
import io.sluice.codecs.vm.TouchPodCodec;
import io.sluice.codecs.vm.UnschedulablePodCodec;
import io.sluice.codecs.vm.VolumeChoiceCodec;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.ChooseVolume;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.ElasticJobList;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.GangReported;
import io.sluice.messages.vm.ListElasticJobs;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.messages.vm.NominateNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.ScaleJob;
import io.sluice.messages.vm.ScaleReply;
import io.sluice.messages.vm.TouchPod;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.messages.vm.VolumeChoice;
import java.time.Duration;

/** Requests to the driver of VMs and their pods. */
public final class VmAddresses {
    /** A little more than the 10 s that the driver gives the API server. */
    private static final Duration BEYOND_THE_API = Duration.ofSeconds(12);

    /** For several requests to the API server, one after another. */
    private static final Duration MANY_READS = Duration.ofSeconds(30);

    /** Writes a runner's fence on a VM. */
    public static final RequestAddress<ClaimVm, ClaimReply> CLAIM =
            new RequestAddress<>("vm.claim", new ClaimVmCodec(), new ClaimReplyCodec(), BEYOND_THE_API, 10_000);

    /** Patches a VM to a new size. */
    public static final RequestAddress<PatchVm, PatchReply> PATCH =
            new RequestAddress<>("vm.patch", new PatchVmCodec(), new PatchReplyCodec(), BEYOND_THE_API, 10_000);

    /** Creates a migration. */
    public static final RequestAddress<MigrateVm, MigrateReply> MIGRATE =
            new RequestAddress<>("vm.migrate", new MigrateVmCodec(), new MigrateReplyCodec(), BEYOND_THE_API, 1_000);

    /** Deletes a migration, which cancels one that is under way. */
    public static final RequestAddress<EndMigration, EndReply> END_MIGRATION = new RequestAddress<>(
            "vm.end-migration", new EndMigrationCodec(), new EndReplyCodec(), BEYOND_THE_API, 1_000);

    /** Creates the Binding of a pod. */
    public static final RequestAddress<BindPod, PodBinding> BIND_POD =
            new RequestAddress<>("vm.bind-pod", new BindPodCodec(), new PodBindingCodec(), BEYOND_THE_API, 1_000);

    /** Changes an annotation of a pod that waits, and reads whether it is bound. */
    public static final RequestAddress<TouchPod, PodBinding> TOUCH_POD =
            new RequestAddress<>("vm.touch-pod", new TouchPodCodec(), new PodBindingCodec(), BEYOND_THE_API, 1_000);

    /** Writes why no node can take a pod to its condition and to an Event. */
    public static final RequestAddress<UnschedulablePod, PodBinding> REPORT_UNSCHEDULABLE = new RequestAddress<>(
            "vm.report-unschedulable", new UnschedulablePodCodec(), new PodBindingCodec(), BEYOND_THE_API, 1_000);

    /** Evicts a pod by the Eviction API, which obeys disruption budgets. */
    public static final RequestAddress<EvictPod, EvictReply> EVICT_POD =
            new RequestAddress<>("vm.evict-pod", new EvictPodCodec(), new EvictReplyCodec(), BEYOND_THE_API, 100);

    /** Writes the node on which room is made for a pod to its status. */
    public static final RequestAddress<NominateNode, PodBinding> NOMINATE_NODE = new RequestAddress<>(
            "vm.nominate-node", new NominateNodeCodec(), new PodBindingCodec(), BEYOND_THE_API, 1_000);

    /** Chooses the volume of a claim that waits for its pod's node. */
    public static final RequestAddress<ChooseVolume, VolumeChoice> CHOOSE_VOLUME = new RequestAddress<>(
            "vm.choose-volume", new ChooseVolumeCodec(), new VolumeChoiceCodec(), BEYOND_THE_API, 1_000);

    /** Lists the jobs that may have more or fewer members. */
    public static final RequestAddress<ListElasticJobs, ElasticJobList> ELASTIC_JOBS = new RequestAddress<>(
            "vm.elastic-jobs", new ListElasticJobsCodec(), new ElasticJobListCodec(), MANY_READS, 10);

    /** Writes the status of an elastic job, and how many members it has. */
    public static final RequestAddress<ScaleJob, ScaleReply> SCALE_JOB =
            new RequestAddress<>("vm.scale-job", new ScaleJobCodec(), new ScaleReplyCodec(), MANY_READS, 1_000);
    /** Writes how far a gang is to its object's status and, where the reason is new, to an Event. */
    public static final RequestAddress<GangState, GangReported> REPORT_GANG = new RequestAddress<>(
            "vm.report-gang", new GangStateCodec(), new GangReportedCodec(), BEYOND_THE_API, 1_000);

    private VmAddresses() {}
}
