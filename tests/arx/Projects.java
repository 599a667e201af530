import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataType;
import org.deidentifier.arx.RowSet;
import org.deidentifier.arx.gui.model.Model;
import org.deidentifier.arx.gui.model.ModelConfiguration;
import org.deidentifier.arx.gui.model.ModelLDiversityCriterion;
import org.deidentifier.arx.gui.worker.WorkerSave;
import org.eclipse.core.runtime.NullProgressMonitor;

/** Writes the projects of this folder (.deid) by the code with which ARX saves them. All people are invented. */
public class Projects {
    private static final String[][] PEOPLE = {
        { "name", "age", "sex", "zip", "diagnosis", "visits" },
        { "Ada", "31", "female", "47901", "asthma", "3" }, { "Bela", "34", "male", "47902", "none", "1" },
        { "Cleo", "36", "female", "47903", "none", "2" }, { "Dan", "38", "male", "47905", "none", "1" },
        { "Edda", "41", "female", "47906", "angina", "7" }, { "Falk", "43", "male", "47901", "none", "2" },
        { "Gita", "45", "female", "47902", "none", "1" }, { "Hugo", "47", "male", "47903", "asthma", "4" },
        { "Ines", "52", "female", "47905", "none", "2" }, { "Jost", "55", "male", "47906", "angina", "5" },
        { "Kira", "31", "female", "53701", "none", "1" }, { "Lars", "34", "male", "53702", "asthma", "2" },
        { "Mona", "36", "female", "53703", "none", "3" }, { "Nils", "38", "male", "53705", "none", "1" },
        { "Olga", "41", "female", "53706", "none", "2" }, { "Paul", "43", "male", "53701", "angina", "6" },
        { "Qian", "45", "female", "53702", "none", "1" }, { "Rosa", "47", "female", "53703", "none", "2" },
        { "Sven", "52", "male", "53705", "none", "1" }, { "Tilda", "55", "female", "53706", "none", "4" },
    };
    private static final int[] SUBSET = { 0, 4, 7, 9, 11, 15, 18 };

    public static void main(String[] arguments) throws Exception {
        save("study", true);
        save("whole", false);
    }

    private static void save(String name, boolean isPopulation) throws Exception {
        Data data = Data.create(java.util.Arrays.asList(PEOPLE).iterator());
        AttributeType[] types = {
            AttributeType.IDENTIFYING_ATTRIBUTE, AttributeType.QUASI_IDENTIFYING_ATTRIBUTE,
            AttributeType.QUASI_IDENTIFYING_ATTRIBUTE, AttributeType.QUASI_IDENTIFYING_ATTRIBUTE,
            AttributeType.SENSITIVE_ATTRIBUTE, AttributeType.INSENSITIVE_ATTRIBUTE,
        };
        for (int column = 0; column < types.length; column++) {
            data.getDefinition().setAttributeType(PEOPLE[0][column], types[column]);
        }
        data.getDefinition().setDataType("age", DataType.INTEGER);
        data.getHandle();

        Model model = new Model(name, "invented people", Locale.ENGLISH);
        ModelConfiguration config = model.getInputConfig();
        config.setInput(data);
        config.setHierarchy("age", ages());
        config.setHierarchy("sex", Hierarchy.create(new String[][] { { "female", "*" }, { "male", "*" } }));
        config.setHierarchy("zip", zips());
        config.setMinimumGeneralization("zip", 1);
        config.setMaximumGeneralization("age", 2);
        config.setAttributeWeight("age", 1d);
        config.setAttributeWeight("sex", 0.5d);
        config.setAttributeWeight("zip", 0.5d);
        config.setSuppressionLimit(isPopulation ? 0d : 1d);
        RowSet subset = RowSet.create(data);
        for (int row = 0; row < data.getHandle().getNumRows(); row++) {
            if (!isPopulation) subset.add(row);
        }
        for (int row : isPopulation ? SUBSET : new int[0]) subset.add(row);
        config.setResearchSubset(subset);
        if (isPopulation) {
            model.getDPresenceModel().setDmax(0.5d);
            model.getDPresenceModel().setEnabled(true);
            ModelLDiversityCriterion entropy = new ModelLDiversityCriterion("diagnosis", ModelLDiversityCriterion.VARIANT_GRASSBERGER_ENTROPY, 2, 1d);
            entropy.setEnabled(true);
            model.getLDiversityModel().put("diagnosis", entropy);
        }
        model.getKAnonymityModel().setK(2);
        model.getKAnonymityModel().setEnabled(true);
        WorkerSave worker = new WorkerSave(name + ".deid", null, model);
        worker.run(new NullProgressMonitor());
        if (worker.getError() != null) throw new Exception(worker.getError());
    }

    private static Hierarchy ages() {
        List<String[]> rows = new ArrayList<String[]>();
        for (int age = 30; age < 60; age++) {
            int five = age / 5 * 5, ten = age / 10 * 10;
            rows.add(new String[] { "" + age, "[" + five + ", " + (five + 4) + "]", "[" + ten + ", " + (ten + 9) + "]", "*" });
        }
        return Hierarchy.create(rows.toArray(new String[0][]));
    }

    private static Hierarchy zips() {
        List<String[]> rows = new ArrayList<String[]>();
        for (int row = 1; row < PEOPLE.length; row++) {
            String zip = PEOPLE[row][3];
            String[] labels = { zip, zip.substring(0, 3) + "**", "*****" };
            boolean isNew = true;
            for (String[] other : rows) isNew &= !other[0].equals(zip);
            if (isNew) rows.add(labels);
        }
        return Hierarchy.create(rows.toArray(new String[0][]));
    }
}
