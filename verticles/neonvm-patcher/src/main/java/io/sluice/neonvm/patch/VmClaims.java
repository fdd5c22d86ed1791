package io.sluice.neonvm.patch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.neonvm.core.objects.VmPatches;
import io.sluice.neonvm.core.objects.VmReader;
import io.sluice.units.VmId;
import io.vertx.core.Future;

/**
 * Writes the fence of a new runner to a VM, so that patches of all former runners fail from then on.
 *
 * <p>A fence names the version of the object over which it was written, so no fence is ever written twice. Otherwise a
 * claim that is delivered a second time, after other runners claimed the VM, would make the patches of its first
 * delivery match again.
 */
public final class VmClaims {
    private static final int ATTEMPTS_MAX = 4;

    private final KubernetesApi api;

    public VmClaims(KubernetesApi api) {
        this.api = api;
    }

    /** Returns the VM object with the runner's fence on it; fails with the reason in words. */
    public Future<JsonNode> claim(VmId vm, String runner) {
        return attempt(vm, runner, 1);
    }

    private Future<JsonNode> attempt(VmId vm, String runner, int number) {
        return api.get(KubernetesApi.vmPath(vm)).compose(read -> {
            if (read.status() != 200) {
                return Future.failedFuture("reading the VM was answered " + read.status());
            }
            if (!VmReader.id(read.body()).equals(vm)) {
                return Future.failedFuture("the VM of that name has another uid now");
            }
            // A runner that repeats its claim, as the reply was lost, continues at its present fence.
            if (VmReader.fence(read.body()).startsWith(runner + "+")) {
                return Future.succeededFuture(read.body());
            }
            return write(vm, runner, number, read.body());
        });
    }

    private Future<JsonNode> write(VmId vm, String runner, int number, JsonNode read) {
        var version = read.path("metadata").path("resourceVersion").asText();
        var patch = VmPatches.claim(read, runner + "+" + version + "/0");
        return api.patch(NeonVmKeys.VM_KIND, KubernetesApi.vmPath(vm), patch).compose(answer -> {
            if (answer.status() == 200) {
                return Future.succeededFuture(answer.body());
            }
            boolean overtaken =
                    answer.status() == PatchOutcome.UNPROCESSABLE || answer.status() == PatchOutcome.CONFLICT;
            if (overtaken && number < ATTEMPTS_MAX) {
                return attempt(vm, runner, number + 1);
            }
            return Future.failedFuture("writing " + NeonVmKeys.FENCE + " was answered " + answer.status()
                    + PatchOutcome.words(answer.body()));
        });
    }
}
