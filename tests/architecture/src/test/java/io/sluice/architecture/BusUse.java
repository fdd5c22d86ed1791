package io.sluice.architecture;

import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which module serves, requests, publishes and consumes which address of the bus: read from the calls in main code. */
final class BusUse {
    /** What a module does with an address; named like the method of the bus that does it. */
    enum Way {
        SERVE,
        REQUEST,
        PUBLISH,
        SUBSCRIBE;

        private static Optional<Way> of(String method) {
            return Set.of("serve", "request", "publish", "subscribe").contains(method)
                    ? Optional.of(valueOf(method.toUpperCase(Locale.ROOT)))
                    : Optional.empty();
        }
    }

    /** By constant, such as {@code LedgerAddresses.OPEN}, and way. */
    private final Map<String, Map<Way, Set<String>>> modules = new TreeMap<>();

    private BusUse() {}

    /** Reads every file of main code below {@code verticles}. */
    static BusUse read() {
        var use = new BusUse();
        ParsedSources.each(
                file -> file.startsWith("verticles/") && file.contains("/src/main/"),
                (file, unit) -> use.new Calls(file.split("/")[1]).scan(unit, null));
        return use;
    }

    /** The modules that use the address so. */
    Set<String> modules(String constant, Way way) {
        return modules.getOrDefault(constant, Map.of()).getOrDefault(way, Set.of());
    }

    /** The constants that the module uses so. */
    Set<String> constants(String module, Way way) {
        return modules.entrySet().stream()
                .filter(entry -> entry.getValue().getOrDefault(way, Set.of()).contains(module))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Finds each constant of an {@code …Addresses} class and the call of the bus that it is given to. */
    private final class Calls extends TreePathScanner<Void, Void> {
        private final String module;

        Calls(String module) {
            this.module = module;
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree select, Void nothing) {
            if (select.getExpression() instanceof IdentifierTree owner
                    && owner.getName().toString().endsWith("Addresses")) {
                way(getCurrentPath())
                        .ifPresent(way -> modules.computeIfAbsent(select.toString(), key -> new TreeMap<>())
                                .computeIfAbsent(way, key -> new TreeSet<>())
                                .add(module));
            }
            return super.visitMemberSelect(select, nothing);
        }

        /**
         * The innermost call around it that is one of the bus. The address of one process that is kept in a variable is
         * requested; none where an address is only read for its timeout.
         */
        private Optional<Way> way(TreePath constant) {
            boolean ofOneProcess = false;
            for (var path = constant.getParentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof MethodInvocationTree call) {
                    var method = method(call.getMethodSelect());
                    var way = Way.of(method);
                    if (way.isPresent()) {
                        return way;
                    }
                    ofOneProcess |= method.equals("at");
                }
            }
            return ofOneProcess ? Optional.of(Way.REQUEST) : Optional.empty();
        }

        private String method(Tree select) {
            return switch (select) {
                case MemberSelectTree member -> member.getIdentifier().toString();
                case IdentifierTree plain -> plain.getName().toString();
                default -> "";
            };
        }
    }
}
