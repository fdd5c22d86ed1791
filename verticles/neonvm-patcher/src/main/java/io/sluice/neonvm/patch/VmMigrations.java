package io.sluice.neonvm.patch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.api.ObjectReader;
import io.sluice.neonvm.core.objects.MigrationObjects;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.neonvm.core.objects.NodeReader;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and deletes the objects of migrations. If it is open whether an earlier request has created the object, the
 * reply is {@code InDoubt}, so that no requester releases the hold for it.
 */
final class VmMigrations {
    private static final Logger LOG = LoggerFactory.getLogger(VmMigrations.class);
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY_REQUESTS = 429;

    private final KubernetesApi api;
    private final MeterRegistry meters;

    VmMigrations(KubernetesApi api, MeterRegistry meters) {
        this.api = api;
        this.meters = meters;
        List.of("begun", "refused", "in_doubt").forEach(this::begins);
        List.of("ended", "failed").forEach(this::ends);
    }

    Future<MigrateReply> migrate(MigrateVm request) {
        return api.get(KubernetesApi.vmPath(request.vm()))
                .compose(read -> {
                    if (read.status() == NOT_FOUND) {
                        return refused("the VM does not exist any more");
                    }
                    if (!read.isSuccess()) {
                        return inDoubt("reading the VM was answered " + read.status());
                    }
                    var obstacle = MigrationObjects.obstacle(request, read.body());
                    return obstacle.isPresent() ? refused(obstacle.get()) : create(request);
                })
                .otherwise(failure -> new MigrateReply.InDoubt(KubernetesApi.words(failure)))
                .onSuccess(reply -> reported(request, reply));
    }

    private Future<MigrateReply> create(MigrateVm request) {
        var path = KubernetesApi.migrationsPath(request.vm().namespace());
        return api.create(NeonVmKeys.MIGRATION_KIND, path, MigrationObjects.create(request))
                .compose(answer -> {
                    if (answer.isSuccess()) {
                        return Future.succeededFuture(new MigrateReply.Begun(
                                ObjectReader.uid(answer.body()), NodeReader.version(answer.body())));
                    }
                    if (answer.status() == PatchOutcome.CONFLICT) {
                        return existing(request, path);
                    }
                    var words = "creating the migration was answered " + answer.status()
                            + PatchOutcome.words(answer.body());
                    boolean certain =
                            answer.status() >= 400 && answer.status() < 500 && answer.status() != TOO_MANY_REQUESTS;
                    return certain ? refused(words) : inDoubt(words);
                });
    }

    private Future<MigrateReply> existing(MigrateVm request, String path) {
        return api.get(path + "/" + request.migration()).map(read -> {
            if (read.status() == NOT_FOUND) {
                return new MigrateReply.Refused("a migration of that name existed and was just deleted");
            }
            return read.isSuccess()
                    ? MigrationObjects.existing(request, read.body())
                    : new MigrateReply.InDoubt("reading the migration was answered " + read.status());
        });
    }

    Future<EndReply> end(EndMigration request) {
        var path = KubernetesApi.migrationsPath(request.namespace()) + "/" + request.name();
        return api.delete(NeonVmKeys.MIGRATION_KIND, path, MigrationObjects.deletion(request.uid()))
                .compose(answer -> {
                    if (answer.isSuccess() || answer.status() == NOT_FOUND) {
                        return Future.succeededFuture(new EndReply.Ended());
                    }
                    var words = "deleting the migration was answered " + answer.status()
                            + PatchOutcome.words(answer.body());
                    return answer.status() == PatchOutcome.CONFLICT
                            ? unlessAnother(request, path, words)
                            : Future.succeededFuture(new EndReply.Failed(words));
                })
                .otherwise(failure -> new EndReply.Failed(KubernetesApi.words(failure)))
                .onSuccess(reply -> {
                    var outcome = switch (reply) {
                        case EndReply.Ended ended -> "ended";
                        case EndReply.Failed failed -> "failed";
                    };
                    ends(outcome).increment();
                });
    }

    /** If another object has the name by now, the one to be deleted is gone. */
    private Future<EndReply> unlessAnother(EndMigration request, String path, String words) {
        return api.get(path).map(read -> {
            boolean gone = read.status() == NOT_FOUND
                    || read.isSuccess() && !ObjectReader.uid(read.body()).equals(request.uid());
            return gone ? new EndReply.Ended() : new EndReply.Failed(words);
        });
    }

    private void reported(MigrateVm request, MigrateReply reply) {
        var outcome = switch (reply) {
            case MigrateReply.Begun begun -> "begun";
            case MigrateReply.Refused(var reason) -> {
                warn(request, reason, "A migration was not begun.");
                yield "refused";
            }
            case MigrateReply.InDoubt(var reason) -> {
                warn(request, reason, "It is unknown whether a migration was begun.");
                yield "in_doubt";
            }
        };
        begins(outcome).increment();
    }

    private static void warn(MigrateVm request, String reason, String sentence) {
        LOG.atWarn()
                .addKeyValue(LogKeys.VM, request.vm().label())
                .addKeyValue(LogKeys.REASON, reason)
                .log(sentence);
    }

    private Counter begins(String outcome) {
        return counter("sluice.vm.migrations", "Requests to begin a migration", outcome);
    }

    private Counter ends(String outcome) {
        return counter("sluice.vm.migration.ends", "Requests to end a migration", outcome);
    }

    private Counter counter(String name, String what, String outcome) {
        return Counter.builder(name)
                .description(what + ", by outcome")
                .tag("outcome", outcome)
                .register(meters);
    }

    private static Future<MigrateReply> refused(String reason) {
        return Future.succeededFuture(new MigrateReply.Refused(reason));
    }

    private static Future<MigrateReply> inDoubt(String reason) {
        return Future.succeededFuture(new MigrateReply.InDoubt(reason));
    }
}
