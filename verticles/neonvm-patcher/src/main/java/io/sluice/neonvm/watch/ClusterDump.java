package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.neonvm.core.observed.ModelDump;
import io.sluice.shell.Dumps;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A dump of the role {@code cluster}: the number of objects of each kind, the state of its watches, and each object as
 * last read.
 */
final class ClusterDump implements Dumps.Source {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String WATCHES = "watches";

    private final Context context;
    private final ClusterModel model;
    private final Watches watches;

    /** @param context the context on which the model is used */
    ClusterDump(Context context, ClusterModel model, Watches watches) {
        this.context = context;
        this.model = model;
        this.watches = watches;
    }

    @Override
    public Future<List<String>> keys() {
        return onContext(() -> {
            var keys = new ArrayList<>(ModelDump.keys(model));
            keys.add(WATCHES);
            return keys.stream().sorted().toList();
        });
    }

    @Override
    public Future<String> read(String key) {
        return onContext(() -> key.equals(WATCHES) ? watches() : ModelDump.read(model, key))
                .map(JsonNode::toString);
    }

    private JsonNode watches() {
        var json = MAPPER.createObjectNode();
        for (var watched : watches.kinds()) {
            var state = watches.state(watched);
            json.putObject(watched.word())
                    .put("started", state.started())
                    .put("watching", state.watching())
                    .put("version", state.version());
        }
        return json;
    }

    private <T> Future<T> onContext(Supplier<T> read) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(
                ignored -> Future.succeededFuture(read).map(Supplier::get).onComplete(promise));
        return promise.future();
    }
}
