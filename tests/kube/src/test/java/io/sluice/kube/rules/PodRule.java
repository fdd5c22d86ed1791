package io.sluice.kube.rules;

import java.util.Random;

/**
 * What a pod may require of its node: a piece of a pod, with placeholders for what is drawn. {@code #z}, {@code #r},
 * {@code #n}, {@code #a} and {@code #v} are a zone, a rack, a node and two labels of pods; {@code #1} to {@code #9} a
 * number up to that.
 */
enum PodRule {
    NODE_SELECTOR("'spec':{'nodeSelector':{'disk':'ssd'}}"),
    NODE_IN(nodes("{'key':'rack','operator':'In','values':['#r','#r']}")),
    NODE_NOT_IN(nodes("{'key':'zone','operator':'NotIn','values':['#z']}")),
    NODE_EXISTS(nodes("{'key':'rack','operator':'Exists'}")),
    NODE_DOES_NOT_EXIST(nodes("{'key':'rack','operator':'DoesNotExist'}")),
    NODE_GT(nodes("{'key':'cores','operator':'Gt','values':['#9']}")),
    NODE_LT(nodes("{'key':'cores','operator':'Lt','values':['#9']}")),
    NODE_FIELD_IN(term("'matchFields':[{'key':'metadata.name','operator':'In','values':['#n']}]")),
    NODE_FIELD_NOT_IN(term("'matchFields':[{'key':'metadata.name','operator':'NotIn','values':['#n']}]")),
    NODE_TERMS(term("'matchExpressions':[{'key':'zone','operator':'In','values':['#z']}]},{'matchFields':[{'key':"
            + "'metadata.name','operator':'In','values':['#n']}]")),
    NODE_BOTH(term("'matchExpressions':[{'key':'zone','operator':'In','values':['#z']},{'key':'disk','operator':'In',"
            + "'values':['ssd']}],'matchFields':[{'key':'metadata.name','operator':'NotIn','values':['#n']}]")),

    NO_TOLERATION(tolerations("")),
    TOLERATION_EQUAL(tolerations("{'key':'dedicated','value':'a','effect':'NoSchedule'}")),
    TOLERATION_OF_EFFECT(tolerations("{'operator':'Exists','effect':'NoExecute'}")),
    TOLERATION_EXISTS(tolerations("{'key':'level','operator':'Exists'}")),
    TOLERATION_LT(tolerations("{'key':'level','operator':'Lt','value':'#9','effect':'NoSchedule'}")),
    TOLERATION_GT(tolerations("{'key':'level','operator':'Gt','value':'#9','effect':'NoSchedule'}")),
    TOLERATION_CORDONED(tolerations("{'key':'node.kubernetes.io/unschedulable','operator':'Exists'}")),

    CPU(container("'resources':{'requests':{'cpu':'#3500m'}}")),
    MEMORY(container("'resources':{'requests':{'memory':'#7Gi'}}")),
    EPHEMERAL_STORAGE(container("'resources':{'requests':{'ephemeral-storage':'#9Gi'}}")),
    EXTENDED(container("'resources':{'limits':{'example.com/gpu':'#3'}}")),
    INIT_CONTAINER("'spec':{'initContainers':[{'name':'i','image':'none','resources':{'requests':{'cpu':'3'}}}]}"),
    SIDECAR("'spec':{'initContainers':[{'name':'s','image':'none','restartPolicy':'Always','resources':{'requests':"
            + "{'cpu':'1500m'}}},{'name':'j','image':'none','resources':{'requests':{'cpu':'1500m'}}}]}"),
    POD_LEVEL("'spec':{'resources':{'requests':{'cpu':'#3','memory':'#6Gi'}}}"),
    OVERHEAD("'spec':{'runtimeClassName':'heavy'}"),

    HOST_PORT(container("'ports':[{'containerPort':80,'hostPort':808#3}]")),
    HOST_PORT_UDP(container("'ports':[{'containerPort':80,'hostPort':808#3,'protocol':'UDP'}]")),
    HOST_PORT_AT(container("'ports':[{'containerPort':80,'hostPort':808#3,'hostIP':'10.0.0.#2'}]")),
    HOST_PORT_AT_ALL(container("'ports':[{'containerPort':80,'hostPort':808#3,'hostIP':'0.0.0.0'}]")),
    HOST_PORT_OF_SIDECAR("'spec':{'initContainers':[{'name':'p','image':'none','restartPolicy':'Always','ports':"
            + "[{'containerPort':80,'hostPort':808#3}]}]}"),

    NEAR_IN_ZONE(near("'topologyKey':'zone','labelSelector':{'matchLabels':{'rare':'#9'}}")),
    NEAR_ON_HOST(near("'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'#a'}}")),
    NEAR_IN(near("'topologyKey':'rack','labelSelector':{'matchExpressions':[{'key':'rare','operator':'In','values':"
            + "['#9','#9']}]}")),
    NEAR_NOT_IN(near("'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchExpressions':[{'key':'app',"
            + "'operator':'NotIn','values':['#a']}]}")),
    NEAR_EXISTS(near("'topologyKey':'rack','labelSelector':{'matchExpressions':[{'key':'rare','operator':'Exists'}]}")),
    NEAR_DOES_NOT_EXIST(
            near("'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchExpressions':[{'key':'rare',"
                    + "'operator':'DoesNotExist'}]}")),
    NEAR_NAMESPACES(
            near("'topologyKey':'kubernetes.io/hostname','namespaces':['team-x'],'labelSelector':{'matchLabels':"
                    + "{'app':'#a'}}")),
    NEAR_NAMESPACE_SELECTOR(
            near("'topologyKey':'kubernetes.io/hostname','namespaceSelector':{'matchLabels':{'team':'y'}},"
                    + "'labelSelector':{'matchLabels':{'app':'#a'}}")),
    NEAR_ALL_NAMESPACES(
            near("'topologyKey':'kubernetes.io/hostname','namespaceSelector':{},'labelSelector':{'matchLabels':"
                    + "{'app':'#a'}}")),
    NEAR_MATCH_LABEL_KEYS("'metadata':{'labels':{'v':'#v'}},"
            + near("'topologyKey':'kubernetes.io/hostname','matchLabelKeys':"
                    + "['v'],'labelSelector':{'matchLabels':{'app':'#a'}}")),
    NEAR_MISMATCH_LABEL_KEYS("'metadata':{'labels':{'v':'#v'}},"
            + near("'topologyKey':'kubernetes.io/hostname',"
                    + "'mismatchLabelKeys':['v'],'labelSelector':{'matchLabels':{'app':'#a'}}")),
    NEAR_TWO_TERMS(near("'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'#a'}}},{'topologyKey':'rack',"
            + "'labelSelector':{'matchLabels':{'v':'#v'}}")),
    NEAR_ITSELF("'metadata':{'labels':{'self':'x'}},"
            + near("'topologyKey':'rack','labelSelector':{'matchLabels':{'self':'x'}}")),

    APART_IN_ZONE(apart("'topologyKey':'zone','labelSelector':{'matchLabels':{'rare':'#9'}}")),
    APART_ON_HOST(apart("'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'#a'}}")),
    APART_EXPRESSION(
            apart("'topologyKey':'rack','labelSelector':{'matchExpressions':[{'key':'rare','operator':'Exists'},"
                    + "{'key':'v','operator':'NotIn','values':['#v']}]}")),
    APART_NAMESPACES(
            apart("'topologyKey':'kubernetes.io/hostname','namespaces':['team-x','team-y'],'labelSelector':{}")),
    APART_NAMESPACE_SELECTOR(
            apart("'topologyKey':'kubernetes.io/hostname','namespaceSelector':{'matchExpressions':[{'key':"
                    + "'team','operator':'Exists'}]},'labelSelector':{'matchLabels':{'app':'#a'}}")),
    APART_MATCH_LABEL_KEYS("'metadata':{'labels':{'v':'#v'}},"
            + apart("'topologyKey':'kubernetes.io/hostname','matchLabelKeys':"
                    + "['v'],'labelSelector':{'matchLabels':{'app':'#a'}}")),
    OTHERS_KEEP_APART("'metadata':{'labels':{'hated':'#3'}}"),

    SPREAD_OVER_ZONES(spread("'maxSkew':#9,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_OVER_HOSTS(
            spread("'maxSkew':1,'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_COUNTS_ITSELF("'metadata':{'labels':{'app':'a'}},"
            + spread("'maxSkew':#3,'topologyKey':'rack','labelSelector':" + "{'matchLabels':{'app':'a'}}")),
    SPREAD_EXPRESSION(
            spread("'maxSkew':#3,'topologyKey':'rack','labelSelector':{'matchExpressions':[{'key':'rare','operator':"
                    + "'DoesNotExist'}]}")),
    SPREAD_ALL(spread("'maxSkew':1,'topologyKey':'rack','labelSelector':{}")),
    SPREAD_MIN_DOMAINS(
            spread("'maxSkew':#9,'minDomains':1#9,'topologyKey':'rack','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_MATCH_LABEL_KEYS("'metadata':{'labels':{'v':'#v'}},"
            + spread("'maxSkew':#4,'topologyKey':'rack','matchLabelKeys':"
                    + "['v'],'labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_IGNORES_AFFINITY("'spec':{'nodeSelector':{'disk':'ssd'}},"
            + spread("'maxSkew':#5,'nodeAffinityPolicy':'Ignore',"
                    + "'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_HONORS_AFFINITY("'spec':{'nodeSelector':{'disk':'ssd'}},"
            + spread("'maxSkew':#5,'nodeAffinityPolicy':'Honor',"
                    + "'topologyKey':'rack','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_HONORS_TAINTS(tolerations("") + ","
            + spread("'maxSkew':#5,'nodeTaintsPolicy':'Honor','topologyKey':"
                    + "'zone','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_IGNORES_TAINTS(tolerations("") + ","
            + spread("'maxSkew':#5,'nodeTaintsPolicy':'Ignore','topologyKey':"
                    + "'zone','labelSelector':{'matchLabels':{'app':'#a'}}")),
    SPREAD_TWICE(
            spread(
                    "'maxSkew':#9,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'#a'}}},"
                        + "{'whenUnsatisfiable':'DoNotSchedule','maxSkew':#3,'topologyKey':'rack','labelSelector':{'matchLabels':{'v':'#v'}}")),

    VOLUME_IN_ZONE(volume("zonal-#9")),
    VOLUME_IN_ZONES(volume("zones-#9")),
    VOLUME_OF_OLD_LABEL(volume("old-#9")),
    VOLUME_AFFINITY(volume("pinned-#9")),
    VOLUME_LIMIT(volume("free-#9")),
    VOLUME_LIMIT_OF_TWO(volume("free-#4'}},{'name':'w','persistentVolumeClaim':{'claimName':'more-#9")),
    VOLUME_FOR_ONE_POD(volume("single-#9")),
    VOLUME_MISSING(volume("absent-#3"));

    private final String piece;

    PodRule(String piece) {
        this.piece = piece;
    }

    /** The piece of a pod, with what is drawn. */
    String draw(Random random) {
        return drawn(piece, random);
    }

    /** Any piece of a pod, with what is drawn. */
    static String drawn(String piece, Random random) {
        var drawn = new StringBuilder();
        for (int at = 0; at < piece.length(); at++) {
            char letter = piece.charAt(at);
            if (letter == '#') {
                int end = at + 1;
                while (end < piece.length() && Character.isDigit(piece.charAt(end))) {
                    end++;
                }
                if (end > at + 1) {
                    drawn.append(1 + random.nextInt(Integer.parseInt(piece.substring(at + 1, end))));
                    at = end - 1;
                } else {
                    drawn.append(word(piece.charAt(++at), random));
                }
            } else {
                drawn.append(letter == '\'' ? '"' : letter);
            }
        }
        return "{" + drawn + "}";
    }

    private static String word(char kind, Random random) {
        return switch (kind) {
            case 'z' -> "z" + random.nextInt(RuleFleet.ZONES);
            case 'r' -> "r" + random.nextInt(RuleFleet.RACKS);
            case 'n' -> RuleFleet.node(random.nextInt(RuleFleet.NODES));
            case 'a' -> String.valueOf((char) ('a' + random.nextInt(RuleFleet.APPS)));
            case 'v' -> String.valueOf(1 + random.nextInt(2));
            default -> throw new IllegalArgumentException("#" + kind);
        };
    }

    private static String nodes(String expression) {
        return term("'matchExpressions':[" + expression + "]");
    }

    private static String term(String term) {
        return "'spec':{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "{'nodeSelectorTerms':[{" + term + "}]}}}}";
    }

    private static String tolerations(String toleration) {
        return "'spec':{'tolerations':[" + toleration + "]}";
    }

    private static String container(String more) {
        return "'spec':{'containers':[{'name':'d','image':'none'," + more + "}]}";
    }

    private static String near(String term) {
        return "'spec':{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{" + term
                + "}]}}}";
    }

    private static String apart(String term) {
        return "'spec':{'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{" + term
                + "}]}}}";
    }

    private static String spread(String constraint) {
        return "'spec':{'topologySpreadConstraints':[{'whenUnsatisfiable':'DoNotSchedule'," + constraint + "}]}";
    }

    private static String volume(String claim) {
        return "'spec':{'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'" + claim + "'}}]}";
    }
}
