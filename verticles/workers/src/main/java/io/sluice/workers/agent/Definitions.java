package io.sluice.workers.agent;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of instances that can run here, and what of them is allowed. */
final class Definitions {
    private final List<String> commands;
    private final List<String> roots;
    private final Optional<Path> runc;

    private Definitions(List<String> commands, List<String> roots, Optional<Path> runc) {
        this.commands = commands;
        this.roots = roots;
        this.runc = runc;
    }

    /** Pods only where runc is installed and a root directory is allowed. */
    static Definitions of(WorkerOptions options) {
        var runc = Stream.of("/usr/bin/runc", "/usr/sbin/runc", "/usr/local/sbin/runc")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .filter(found -> !options.roots().isEmpty());
        return new Definitions(options.commands(), options.roots(), runc);
    }

    List<String> kinds() {
        var kinds = new ArrayList<>(List.of(ProcessDefinition.KIND));
        runc.ifPresent(found -> kinds.add(PodDefinition.KIND));
        return kinds;
    }

    Startable read(String definition) throws ProcessDefinition.Unfit {
        try {
            var json = new JsonObject(definition);
            var kind = json.getString("kind", "");
            if (kind.equals(ProcessDefinition.KIND)) {
                return ProcessDefinition.read(json, commands);
            }
            if (kind.equals(PodDefinition.KIND) && runc.isPresent()) {
                return PodDefinition.read(json, runc.get(), roots);
            }
            throw new ProcessDefinition.Unfit("its kind is none of " + kinds());
        } catch (DecodeException | ClassCastException unreadable) {
            throw new ProcessDefinition.Unfit("its definition is no JSON object");
        }
    }
}
