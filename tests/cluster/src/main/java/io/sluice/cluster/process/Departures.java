package io.sluice.cluster.process;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The members that others logged as left since the last call. */
public final class Departures {
    private static final String SENTENCE = "A member left.";

    private final List<MemberProcess> members;
    private final Map<MemberProcess, Long> read = new HashMap<>();

    public Departures(List<MemberProcess> members) {
        this.members = members;
        take(Set.of());
    }

    /** Those without a cause: neither the member that left nor the one that logged it was under a fault. */
    public List<String> take(Set<String> touched) {
        var found = new ArrayList<String>();
        for (var member : members) {
            for (var line : newLines(member)) {
                var left = left(line);
                boolean caused = touched.contains(left)
                        || touched.contains(member.place().endpoint());
                if (!left.isEmpty() && !caused) {
                    found.add(member + " saw " + left + " leave");
                }
            }
        }
        return found;
    }

    private List<String> newLines(MemberProcess member) {
        try {
            var bytes = Files.exists(member.log()) ? Files.readAllBytes(member.log()) : new byte[0];
            int from = (int) Math.min(read.getOrDefault(member, 0L), bytes.length);
            read.put(member, (long) bytes.length);
            return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains(SENTENCE))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String left(String line) {
        try {
            return new JsonObject(line).getString("endpoint", "");
        } catch (DecodeException cutOff) {
            return "";
        }
    }
}
