package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import java.util.Optional;

/** Writes VirtualMachineMigration objects, and tells what one that is there already means to whoever wants one. */
public final class MigrationObjects {
    private static final String BANDWIDTH = "1Gi";

    private MigrationObjects() {}

    /** The object that begins a migration; it goes with its VM. */
    public static String create(MigrateVm question) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.put("apiVersion", NeonVmKeys.API_VERSION).put("kind", NeonVmKeys.MIGRATION_KIND);
        var metadata = object.putObject("metadata");
        metadata.put("name", question.migration())
                .put("namespace", question.vm().namespace());
        metadata.putObject("labels").put(NeonVmKeys.CREATED_BY_SCHEDULER, NeonVmKeys.TRUE);
        metadata.putObject("annotations")
                .put(NeonVmKeys.ROOM_ON, question.roomOn())
                .put(NeonVmKeys.ATTEMPT, question.attempt());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", NeonVmKeys.API_VERSION)
                .put("kind", NeonVmKeys.VM_KIND)
                .put("name", question.vm().name())
                .put("uid", question.vm().uid());
        // Every flag is written out: the kind's own clients read an absent one as false, whatever its default is.
        object.putObject("spec")
                .put("vmName", question.vm().name())
                .put("preventMigrationToSameHost", true)
                .put(
                        "completionTimeout",
                        Math.max(1, question.completionTimeout().toSeconds()))
                .put("incremental", true)
                .put("autoConverge", true)
                .put("maxBandwidth", BANDWIDTH)
                .put("allowPostCopy", false);
        return object.toString();
    }

    /** The options of a deletion that leaves another object of the same name alone. */
    public static String deletion(String uid) {
        var options = KubernetesJson.MAPPER.createObjectNode();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions").put("propagationPolicy", "Background");
        options.putObject("preconditions").put("uid", uid);
        return options.toString();
    }

    /** Why a VM cannot leave that pod, by its object as it was read; empty where it can. */
    public static Optional<String> obstacle(MigrateVm question, JsonNode vm) {
        if (!VmReader.id(vm).equals(question.vm())) {
            return Optional.of("the VM of that name is another one now");
        }
        if (vm.path("metadata").hasNonNull("deletionTimestamp")) {
            return Optional.of("the VM is being deleted");
        }
        var runsIn = VmReader.podName(vm);
        return runsIn.equals(question.podName())
                ? Optional.empty()
                : Optional.of(PatchOutcome.elsewhere(question.podName(), runsIn));
    }

    /**
     * What a migration that is there already means to whoever asks for one of its name.
     *
     * @param read the migration's object
     */
    public static MigrateReply standing(MigrateVm question, JsonNode read) {
        var found = MigrationReader.read(read);
        if (!found.ours()) {
            return new MigrateReply.Refused("somebody else's migration has the name " + found.name());
        }
        if (!found.vmName().equals(question.vm().name())) {
            return new MigrateReply.Refused("the migration " + found.name() + " is one of the VM " + found.vmName());
        }
        if (found.phase().ended() || found.deleting()) {
            return new MigrateReply.Refused("an earlier migration " + found.name() + " is over and not gone yet");
        }
        return found.attempt().equals(question.attempt())
                ? new MigrateReply.Begun(found.uid(), found.version())
                : new MigrateReply.Refused("an earlier attempt's migration " + found.name() + " is under way");
    }
}
