package io.sluice.workers.agent;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an instance of the kind {@code Process} starts.
 *
 * @param command the program and its arguments
 * @param environment may have secrets, and so is in no message and no argument
 */
record ProcessDefinition(List<String> command, Map<String, String> environment) implements Startable {
    /** The kind in definitions. */
    static final String KIND = "Process";

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int NAME_SHOWN = 60;

    /** Why a definition cannot be run here. Its message quotes nothing of the environment. */
    static final class Unfit extends Exception {
        private static final long serialVersionUID = 1;

        Unfit(String reason) {
            super(reason, null, false, false);
        }
    }

    static ProcessDefinition read(JsonObject json, List<String> allowed) throws Unfit {
        try {
            var command = new ArrayList<String>();
            command.add(program(Path.of(json.getString("command", "")), allowed).toString());
            for (var argument : json.getJsonArray("args", new JsonArray())) {
                command.add((String) argument);
            }
            return new ProcessDefinition(
                    List.copyOf(command), environment(json.getJsonObject("env", new JsonObject())));
        } catch (DecodeException | ClassCastException | InvalidPathException | NullPointerException unreadable) {
            throw new Unfit("its definition has not the form of a process");
        }
    }

    /** A shell sets them, so each has a name that shells take, and a value that ends nowhere else. */
    static Map<String, String> environment(JsonObject variables) throws Unfit {
        Map<String, String> environment = new HashMap<>();
        for (var variable : variables) {
            var name = variable.getKey();
            var value = (String) variable.getValue();
            if (!NAME.matcher(name).matches()) {
                var begin = name.substring(0, Math.min(name.length(), NAME_SHOWN));
                throw new Unfit("its env has a variable whose name is not of letters, digits and _: " + begin);
            }
            if (value.indexOf(0) >= 0) {
                throw new Unfit("the value of its variable " + name + " has a NUL");
            }
            environment.put(name, value);
        }
        return Map.copyOf(environment);
    }

    /**
     * The program. Its name counts for programs of many names, so a link to it that is allowed itself, or is in an
     * allowed directory, is executed as that. Any other link may lead elsewhere by the time at which it is executed, so
     * what it leads to now is executed.
     */
    private static Path program(Path path, List<String> allowed) throws Unfit {
        var real = allowed(path, allowed, "command");
        try {
            var link = place(path);
            for (var entry : allowed) {
                var admitted = Path.of(entry);
                if (entry.endsWith("/") ? link.startsWith(admitted.toRealPath()) : link.equals(place(admitted))) {
                    return link;
                }
            }
            return real;
        } catch (IOException missing) {
            throw new Unfit("its command does not exist here");
        }
    }

    /** The file with this name, which may be a link, in the directory itself. */
    private static Path place(Path path) throws IOException {
        var absolute = path.toAbsolutePath();
        return absolute.getParent().toRealPath().resolve(absolute.getFileName());
    }

    /** The file itself, whatever links lead to it. */
    static Path allowed(Path path, List<String> allowed, String what) throws Unfit {
        if (!path.isAbsolute()) {
            throw new Unfit("its " + what + " is no absolute path");
        }
        try {
            var real = path.toRealPath();
            for (var entry : allowed) {
                boolean directory = entry.endsWith("/");
                var admitted = Path.of(entry).toRealPath();
                if (directory ? real.startsWith(admitted) : real.equals(admitted)) {
                    return real;
                }
            }
        } catch (IOException missing) {
            throw new Unfit("its " + what + " does not exist here");
        }
        throw new Unfit("its " + what + " is not among those that this worker allows");
    }

    @Override
    public Prepared prepare(Path directory, String instance) {
        return new Prepared(command, environment, "");
    }
}
