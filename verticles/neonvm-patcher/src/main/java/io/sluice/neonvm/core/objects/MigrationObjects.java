package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import java.util.Optional;

/** Writes VirtualMachineMigration objects, and decides what an existing one means for a request. */
public final class MigrationObjects {
    private static final String BANDWIDTH = "1Gi";

    private MigrationObjects() {}

    /** The object that begins a migration; it is deleted with its VM. */
    public static String create(MigrateVm request) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.put("apiVersion", NeonVmKeys.API_VERSION).put("kind", NeonVmKeys.MIGRATION_KIND);
        var metadata = object.putObject("metadata");
        metadata.put("name", request.migration()).put("namespace", request.vm().namespace());
        metadata.putObject("labels").put(NeonVmKeys.CREATED_BY_SCHEDULER, NeonVmKeys.TRUE);
        metadata.putObject("annotations")
                .put(NeonVmKeys.ROOM_ON, request.roomOn())
                .put(NeonVmKeys.ATTEMPT, request.attempt());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", NeonVmKeys.API_VERSION)
                .put("kind", NeonVmKeys.VM_KIND)
                .put("name", request.vm().name())
                .put("uid", request.vm().uid());
        // Every flag is set: the kind's own clients read an absent one as false, whatever its default is.
        object.putObject("spec")
                .put("vmName", request.vm().name())
                .put("preventMigrationToSameHost", true)
                .put(
                        "completionTimeout",
                        Math.max(1, request.completionTimeout().toSeconds()))
                .put("incremental", true)
                .put("autoConverge", true)
                .put("maxBandwidth", BANDWIDTH)
                .put("allowPostCopy", false);
        return object.toString();
    }

    /** The options of a deletion that does not affect another object of the same name. */
    public static String deletion(String uid) {
        var options = KubernetesJson.MAPPER.createObjectNode();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions").put("propagationPolicy", "Background");
        options.putObject("preconditions").put("uid", uid);
        return options.toString();
    }

    /** Why a VM cannot leave that pod, by its object as read; empty if it can. */
    public static Optional<String> obstacle(MigrateVm request, JsonNode vm) {
        if (!VmReader.id(vm).equals(request.vm())) {
            return Optional.of("the VM of that name has another uid now");
        }
        if (vm.path("metadata").hasNonNull("deletionTimestamp")) {
            return Optional.of("the VM is being deleted");
        }
        var runsIn = VmReader.podName(vm);
        return runsIn.equals(request.podName())
                ? Optional.empty()
                : Optional.of(PatchOutcome.elsewhere(request.podName(), runsIn));
    }

    /**
     * The reply to a request if a migration of its name exists.
     *
     * @param read the migration's object
     */
    public static MigrateReply existing(MigrateVm request, JsonNode read) {
        var found = MigrationReader.read(read);
        if (!found.ours()) {
            return new MigrateReply.Refused("a migration that Sluice did not create has the name " + found.name());
        }
        if (!found.vmName().equals(request.vm().name())) {
            return new MigrateReply.Refused("the migration " + found.name() + " belongs to the VM " + found.vmName());
        }
        if (found.phase().ended() || found.deleting()) {
            return new MigrateReply.Refused("an earlier migration " + found.name() + " is over and not gone yet");
        }
        return found.attempt().equals(request.attempt())
                ? new MigrateReply.Begun(found.uid(), found.version())
                : new MigrateReply.Refused("an earlier attempt's migration " + found.name() + " is under way");
    }
}
